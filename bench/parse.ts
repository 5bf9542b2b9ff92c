import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseBarely } from './bare-yaml.ts';
import { campaignFile } from './campaigns.ts';
import { heraldScript } from './herald.ts';
import { compareMeasured, type Comparison } from './pairs.ts';
import { measure } from './process.ts';
import { aliasOf, workspaceText, writeFiles } from './workspace.ts';

const FILES = 10_000;
const FILES_PER_ACCOUNT = 100;
const RUNS = 3;

/** `herald validate` over ten megabytes in ten thousand files, against bare `yaml` on the same files. */
export async function benchParse(): Promise<readonly Comparison[]> {
  const directory = mkdtempSync(join(tmpdir(), 'herald-bench-'));
  try {
    const files: Record<string, string> = { 'herald.yaml': workspaceText(FILES / FILES_PER_ACCOUNT) };
    for (let file = 0; file < FILES; file += 1) {
      const alias = aliasOf(Math.floor(file / FILES_PER_ACCOUNT));
      files[`live/${String(file).padStart(6, '0')}.yaml`] = campaignFile(alias, file, 1);
    }
    writeFiles(directory, files);
    const bytes = Object.values(files).reduce((sum, text) => sum + text.length, 0);
    const ours: number[] = [];
    const theirs: number[] = [];
    let peakBytes = 0;
    for (let run = 0; run < RUNS; run += 1) {
      const validated = await measure([heraldScript(), '-C', directory, 'validate']);
      peakBytes = Math.max(peakBytes, validated.peakBytes);
      ours.push(validated.cpuMs);
      theirs.push((await parseBarely(join(directory, 'live'))).cpuMs);
    }
    const note = `${(bytes / 1e6).toFixed(1)} MB, peak ${(peakBytes / 1e6).toFixed(0)} MB`;
    const what = {
      name: `herald validate, ${FILES} files`,
      reference: 'bare yaml, file by file',
      budget: 2,
      note,
    };
    return [compareMeasured({ ...what, unit: 'ms CPU' }, ours, theirs)];
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}
