import { expect, it } from 'vitest';
import { builtHerald } from '../helpers/real-herald.ts';
import type { Ran } from '../helpers/scene.ts';
import { aStage, SECRETS, snapshot, WAIT_MS_MAX, type Stage } from './hostile/stage.ts';
import { VARIANTS, type Variant } from './hostile/variants.ts';

/**
 * The author of a pull request controls every file of the workspace; CI runs Herald on it with the key of the service
 * and with other secrets in its environment. Each variant is one attack, played on real files and sockets. What would take
 * the process with it is planned first by the built command line. The other commands read the same.
 */

const herald = builtHerald();

/** Runs the commands as CI would: `validate` and `plan` at once, then `apply`. */
async function play(stage: Stage, variant: Variant): Promise<readonly (Ran | null)[]> {
  const pinned = variant.pinned === false ? {} : { HERALD_BASE_URL: stage.pinned() };
  const env = { ...pinned, ...variant.env };
  const run = (at: 0 | 1 | 2, args: readonly string[]) =>
    variant.codes[at] === null ? null : stage.run(args, env);
  const plan = variant.plan ?? ['plan'];
  const alone = variant.alone === true ? await stage.runAlone(plan, env) : null;
  // It was killed, and would hang this process.
  if (alone?.code === -1) return [alone];
  const checks = await Promise.all([run(0, ['validate']), alone ?? run(1, plan)]);
  variant.beforeApply?.(stage);
  return [...checks, await run(2, variant.apply ?? ['apply', '--yes'])];
}

/** Lines that a CI runner takes for a command, wherever a text brought them. */
const OBEYED = /^\s*::[a-z]|##\[|##vso\[/m;
/** The annotations that Herald itself writes on GitHub. A colon or comma from a file is escaped in their places. */
const ANNOTATION = /^::(?:error|warning|notice) file=[^,:\n]+,line=\d+,col=\d+,title=[\w -]+::(?!:)/gm;

it.each(VARIANTS)('a hostile pull request: $title', { timeout: 2 * WAIT_MS_MAX }, async (variant) => {
  const stage = await aStage(herald);
  try {
    variant.change(stage);
    const outside = snapshot(stage.outside);
    const kept = variant.kept?.(stage);

    const runs = await play(stage, variant);

    const said = runs.map((ran) => `${ran?.stdout}\n${ran?.stderr}`).join('\n');
    expect(
      runs.map((ran) => ran?.code ?? null),
      said,
    ).toEqual(variant.codes);
    if (variant.says !== undefined) expect(said).toMatch(variant.says);
    expect(stage.arrived).toEqual([]);
    expect(snapshot(stage.outside)).toEqual(outside);
    expect(variant.kept?.(stage)).toEqual(kept);
    const written = JSON.stringify(snapshot(stage.directory));
    for (const secret of Object.values(SECRETS))
      expect((said + written).toLowerCase()).not.toContain(secret.toLowerCase());
    expect(said).not.toMatch(/a private text|private_word/);
    expect(said).not.toMatch(/bug in Herald|\n {4}at /);
    expect(said.replaceAll(ANNOTATION, '')).not.toMatch(OBEYED);
  } finally {
    await stage.close();
  }
});
