import type { Ending } from '../../src/state/requests.ts';
import type { NewRequest } from '../../src/state/shapes.ts';
import { withState } from '../../src/library/state-access.ts';
import { State } from '../../src/state/state.ts';
import type { Scene } from '../helpers/scene.ts';
import { aRun, begun, CREATE } from '../helpers/state-requests.ts';

/** Work with the state of a scene as a run of its own has it, by the clock of the scene. */
export async function inState<Result>(
  scene: Scene,
  work: (state: State) => Promise<Result>,
  service?: string,
): Promise<Result> {
  // A world has its name from the first visit on.
  await scene.service(() => undefined);
  const name = service ?? (await scene.readState(async (state) => state.service));
  const options = { clock: scene.clock, who: 'mia', holder: 'mia, process 1', service: () => name };
  const opening = State.take(aRun({ kind: 'sqlite', directory: scene.state.directory }, options), 0);
  return withState(opening, work);
}

/** Records a request that has left, and its end if it has one. Returns its entry. */
export function recorded(
  scene: Scene,
  request: Partial<NewRequest> = {},
  ending: Ending | null = null,
): Promise<string> {
  return inState(scene, async (state) => {
    const { entry } = await begun(state, { ...CREATE, ...request });
    if (ending !== null) await state.end(entry, ending);
    return entry;
  });
}

/** A message to a fan, as it is recorded. */
export const MESSAGE: Partial<NewRequest> = {
  operation: 'chat.send',
  command: 'chat send',
  kind: 'message',
  name: '101001',
  purpose: null,
  content: null,
  asked: { beginning: 'Hi there' },
};
