import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { build } from 'esbuild';
import { pageAssets } from './page-assets.js';

// Plans the same workspaces with this checkout and with another one, and compares the JSON without its sentences:
//   node scripts/compare-plans.js ../other-checkout 200
// The workspaces are those that the chaos run leaves behind, and the examples.
const [other = '', runs = '200'] = process.argv.slice(2);

const PLANNER = `
import { readFileSync } from 'node:fs';
import { aScene, WORLD_FILE } from '../helpers/scene.ts';
import { flowClock } from '../helpers/flow-clock.ts';

export async function planOf(path) {
  const { files, env, world, nowMs } = JSON.parse(readFileSync(path, 'utf8'));
  const clock = flowClock(nowMs);
  const scene = aScene({ files: world === null ? files : { ...files, [WORLD_FILE]: world }, clock });
  Object.assign(scene.env, env);
  const commands = [['plan'], ['plan', '--allow', 'adopt', '--allow', 'resume', '--allow', 'prune'], ['drift']];
  const results = [];
  for (const args of commands) {
    const { code, stdout } = await scene.herald(...args, '--format', 'json');
    results.push({ code, document: stdout === '' ? null : JSON.parse(stdout) });
  }
  return results;
}
`;

/** Members that are sentences for people, or that name the version. */
const SENTENCES = new Set(['message', 'reasons', 'undo', 'hint', 'words']);

function withoutSentences(value) {
  if (Array.isArray(value)) return value.map(withoutSentences);
  if (typeof value !== 'object' || value === null) return value;
  const kept = Object.entries(value).filter(([name]) => !SENTENCES.has(name));
  return Object.fromEntries(kept.map(([name, member]) => [name, withoutSentences(member)]));
}

async function plannerOf(checkout) {
  const folder = mkdtempSync(join(checkout, 'node_modules', '.compare-'));
  const outfile = join(folder, 'planner.mjs');
  await build({
    stdin: { contents: PLANNER, resolveDir: join(checkout, 'test', 'chaos'), loader: 'ts' },
    bundle: true,
    platform: 'node',
    format: 'esm',
    packages: 'external',
    plugins: [pageAssets],
    outfile,
  });
  const { planOf } = await import(resolve(outfile));
  rmSync(folder, { recursive: true });
  return planOf;
}

const directory = mkdtempSync(join(tmpdir(), 'herald-workspaces-'));
execFileSync(process.execPath, ['scripts/run.js', 'test/chaos/workspaces.ts', directory, runs], {
  stdio: 'inherit',
});
// An example over an empty service, at noon of the first of June 2026.
for (const example of readdirSync('examples')) {
  const folder = join('examples', example);
  const paths = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((one) => one.isFile());
  const files = paths.map(({ parentPath, name }) => {
    const path = join(parentPath, name);
    return [path.slice(folder.length + 1), readFileSync(path, 'utf8')];
  });
  const left = { files: Object.fromEntries(files), env: {}, world: null, nowMs: Date.UTC(2026, 5, 1, 12) };
  if ('herald.yaml' in left.files) writeFileSync(join(directory, `${example}.json`), JSON.stringify(left));
}
const planners = [await plannerOf('.'), await plannerOf(other)];
const names = readdirSync(directory).toSorted();
let changes = 0;
const counts = { same: 0, onlySentences: 0, different: 0 };
for (const name of names) {
  const path = join(directory, name);
  const [here, there] = [await planners[0](path), await planners[1](path)];
  changes += here[0].document?.changes?.length ?? 0;
  if (isDeepStrictEqual(here, there)) counts.same += 1;
  else if (isDeepStrictEqual(withoutSentences(here), withoutSentences(there))) counts.onlySentences += 1;
  else {
    counts.different += 1;
    console.log(`${name}: different`);
    if (process.env.SHOW === name) {
      const text = (results) => JSON.stringify(withoutSentences(results), null, 1);
      console.log(text(here), '\n--------\n', text(there), readFileSync(path, 'utf8').length);
    }
  }
}
rmSync(directory, { recursive: true });
console.log(
  `${names.length} workspaces, ${changes} changes planned: ${counts.same} the same, ${counts.onlySentences} with other sentences, ${counts.different} different`,
);
process.exitCode = counts.different > 0 ? 1 : 0;
