import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { shortCampaignYaml } from './campaigns.ts';
import { heraldScript } from './herald.ts';
import { compareWithBound, type Comparison } from './pairs.ts';
import { measure } from './process.ts';
import { startService } from './service.ts';
import { aliasOf, workspaceText, writeFiles } from './workspace.ts';

const CAMPAIGNS = 10_000;
const PER_ACCOUNT = 100;
const RUNS = 3;
const MEMORY_BUDGET_MIB = 350;
const MIB = 2 ** 20;

/** What a quiet plan holds in memory if all resources are in one file, which is parsed as a whole. */
export async function benchOneFile(): Promise<readonly Comparison[]> {
  const accounts = CAMPAIGNS / PER_ACCOUNT;
  const directory = mkdtempSync(join(tmpdir(), 'herald-bench-'));
  const service = await startService(accounts, PER_ACCOUNT, 'short');
  try {
    const numbers = Array.from({ length: CAMPAIGNS }, (_, number) => number);
    const campaigns = numbers.map((number) =>
      shortCampaignYaml(aliasOf(Math.floor(number / PER_ACCOUNT)), number),
    );
    writeFiles(directory, {
      'herald.yaml': workspaceText(accounts),
      'live/all.yaml': `campaigns:\n${campaigns.join('')}`,
    });
    const peaks: number[] = [];
    for (let run = 0; run < RUNS; run += 1) {
      const plan = [heraldScript(), '-C', directory, 'plan', '--allow', 'adopt'];
      const { peakBytes, stdout } = await measure(plan, { env: service.env });
      if (!stdout.includes(`No changes: ${CAMPAIGNS} unchanged`))
        throw new Error(`the plan is not quiet: ${stdout}`);
      peaks.push(peakBytes / MIB);
    }
    const name = `quiet plan of ${CAMPAIGNS} in one file`;
    const reference = `${MEMORY_BUDGET_MIB} MiB`;
    return [
      compareWithBound(
        { name, reference, unit: 'MB', budget: 1, note: 'peak memory in MiB' },
        peaks,
        MEMORY_BUDGET_MIB,
      ),
    ];
  } finally {
    service.stop();
    rmSync(directory, { recursive: true, force: true });
  }
}
