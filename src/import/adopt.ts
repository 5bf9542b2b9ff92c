import type { Files } from '../domain/ports.ts';
import { formatAddress } from '../domain/resource.ts';
import { recordSeen } from '../engine/record-seen.ts';
import type { RunState } from '../engine/run.ts';
import type { Fact } from '../state/shapes.ts';
import { loadDeclared, type LoadOptions } from '../workspace/load.ts';
import { FORGOTTEN } from './check.ts';
import type { UnchangedDraft } from './draft-until-quiet.ts';
import type { Draft } from './draft.ts';
import type { LiveObject } from './file-edits.ts';

/** Files of the draft that `files:` does not include, so their resources are not declared. */
export async function filesNotRead(
  files: Files,
  options: LoadOptions,
  { resourceFiles }: Draft,
): Promise<readonly string[]> {
  if (resourceFiles.length === 0) return [];
  const loaded = await loadDeclared(files, options);
  const read = new Set(loaded.kind === 'loaded' ? loaded.workspace.files : []);
  return resourceFiles.filter((path) => !read.has(path));
}

/**
 * Records which live objects are declared now, so that later changes of them do not need `--allow adopt`. Do not call
 * it for files that are not included: owned, unmanaged objects may be pruned.
 */
export async function adopt(state: RunState, { addresses, refreshed, seen }: UnchangedDraft): Promise<void> {
  await state.learn(forgetSent(refreshed));
  const changes = seen.plan.changes.filter(({ address }) => addresses.has(formatAddress(address)));
  const facts = { ...seen.facts, allow: new Set(['adopt'] as const) };
  await recordSeen({ state }, { plan: { ...seen.plan, changes }, facts });
}

/** What Herald sent once says nothing about an audience that someone has changed since. */
function forgetSent(refreshed: readonly LiveObject[]): readonly Fact[] {
  return refreshed
    .filter(({ changed }) => changed)
    .map(({ accountId, kind, name, liveId }): Fact => {
      const object = { account_id: accountId, kind, live_id: liveId, name };
      return { kind: 'object', object: { ...object, ...FORGOTTEN } };
    });
}
