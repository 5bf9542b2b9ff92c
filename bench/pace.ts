import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { boundSec } from './bound.ts';
import { sharedCampaign } from './campaigns.ts';
import { heraldScript } from './herald.ts';
import { compareMeasured, type Comparison } from './pairs.ts';
import { measure } from './process.ts';
import { startService } from './service.ts';
import { aliasOf, workspaceText, writeFiles } from './workspace.ts';

/** An apply reads everything, writes, and reads it again. */
const ACCOUNTS = { plan: 200, apply: 40 } as const;
type Command = keyof typeof ACCOUNTS;

/** Side by side, each with a service of its own: all that they do is wait for the rates, once they have started. */
const RUNS = 3;
const APART_MS = 1_500;

const BUDGET = 1.1;

/**
 * Plan over a campaign and a broadcast on each of many accounts, and apply of a campaign on each, against the time
 * in which the published rates let the same requests through. Herald is set to use the whole rates; by
 * itself it leaves a tenth.
 */
export async function benchPace(): Promise<readonly Comparison[]> {
  // Built before the clock runs.
  heraldScript();
  return [await paces('plan'), await paces('apply')];
}

async function paces(command: Command): Promise<Comparison> {
  const accounts = ACCOUNTS[command];
  const runs = await Promise.all(
    Array.from({ length: RUNS }, (_, run) => pace(command, accounts, run * APART_MS)),
  );
  const name = `${command} over ${accounts} accounts`;
  const throttled = runs.reduce((sum, run) => sum + run.throttled, 0);
  if (throttled > 0) throw new Error(`${name} was answered 429 ${throttled} times`);
  return compareMeasured(
    {
      name,
      reference: 'the published rates',
      unit: 's',
      budget: BUDGET,
      note: `${runs[0]?.requests ?? 0} requests, ${throttled} answered 429`,
    },
    runs.map(({ wallSec }) => wallSec),
    runs.map(({ boundSec }) => boundSec),
  );
}

interface Pace {
  readonly wallSec: number;
  readonly boundSec: number;
  readonly requests: number;
  readonly throttled: number;
}

async function pace(command: Command, accounts: number, delayMs: number): Promise<Pace> {
  await sleep(delayMs);
  const service = await startService(accounts);
  const directory = mkdtempSync(join(tmpdir(), 'herald-bench-'));
  try {
    writeFiles(directory, pacedFiles(command, accounts));
    const flags = command === 'apply' ? ['--yes', '--allow', 'large'] : ['--allow', 'large'];
    const { wallMs } = await measure([heraldScript(), '-C', directory, command, ...flags], {
      env: service.env,
    });
    const { requests, throttled } = await service.oracle();
    return { wallSec: wallMs / 1000, boundSec: boundSec(requests), requests: requests.length, throttled };
  } finally {
    service.stop();
    rmSync(directory, { recursive: true, force: true });
  }
}

/** A workspace that takes the whole of the rates. */
export function pacedFiles(command: Command, accounts: number): Readonly<Record<string, string>> {
  return {
    'herald.yaml': workspaceText(accounts, { rate_share: 1 }),
    'live/all.yaml': resources(command, accounts),
  };
}

function resources(command: Command, accounts: number): string {
  const aliases = Array.from({ length: accounts }, (_, index) => aliasOf(index)).join(', ');
  const campaign = sharedCampaign(aliases);
  // The service takes one broadcast a second: to wait for those measures nothing.
  if (command === 'apply') return campaign;
  return `${campaign}broadcasts:
  - name: News
    scheduled_at: "2990-06-01T15:00Z"
    audience: everyone
    messages: [{ text: Something new is coming. }]
`;
}
