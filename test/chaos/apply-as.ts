import type { Scene } from '../helpers/scene.ts';
import type { Terms } from './judge-sent.ts';
import { oneRun } from './run.ts';
import { TARGETINGS, type Asked, type Version } from './scenario.ts';
import type { Chaos } from './state.ts';

/** An apply of everything that nobody disturbs. */
export const ALONE: Asked = { cut: null, meanwhile: null, targeting: 0, saved: false };

/** What an apply is asked for, with its flags. */
export type Wanted = Terms & { readonly flags: readonly string[] };

export function wantedOf(
  { prune, slots }: Version,
  { targeting }: Asked,
  ledgerWasLost: boolean,
): Omit<Wanted, 'declared'> {
  const chosen = TARGETINGS[targeting];
  const allow = [
    ...(slots.some(({ target }) => target === 'recalled') ? ['recall'] : []),
    ...(prune ? ['prune', 'large'] : []),
    // Nobody knows any more whose everything is, so somebody says it.
    ...(ledgerWasLost ? ['adopt', 'resume'] : []),
  ];
  return { covers: chosen?.covers ?? (() => true), flags: chosen?.flags ?? [], allow, wish: null };
}

/** One apply, perhaps of a saved plan; answers how it ended, for the table. */
export async function applyAs(
  chaos: Chaos,
  scene: Scene,
  { cut, meanwhile, saved }: Asked,
  wanted: Wanted,
): Promise<string> {
  const flags = [...allowing(wanted), ...wanted.flags];
  if (!saved) return (await oneRun(chaos, scene, ['apply', '--yes', ...flags], cut, wanted, meanwhile)).end;
  delete scene.files.tree['plan.json'];
  connectQuietly(chaos, scene);
  await scene.herald('plan', '--out', 'plan.json', ...flags);
  if (scene.files.tree['plan.json'] === undefined) return 'no plan';
  return (await oneRun(chaos, scene, ['apply', 'plan.json', '--yes'], cut, wanted, meanwhile)).end;
}

export function allowing({ allow }: Pick<Terms, 'allow'>): readonly string[] {
  return allow.flatMap((name) => ['--allow', name]);
}

/** The way to the service of a command that only looks. */
export function connectQuietly({ line, trespasses }: Chaos, scene: Scene): void {
  const { key } = line.process(null, {
    sent: ({ method, path }) => trespasses.push(`a plan sent ${method} ${path}`),
    interrupt: () => undefined,
    looks: () => undefined,
  });
  Object.assign(scene.env, { HERALD_BASE_URL: 'http://localhost:1', HERALD_API_KEY: key });
}
