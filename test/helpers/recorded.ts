import type { Ending } from '../../src/state/requests.ts';
import type { NewRequest } from '../../src/state/shapes.ts';
import { withState } from '../../src/library/state-access.ts';
import { State } from '../../src/state/state.ts';
import type { Scene } from './scene.ts';
import { CREATE, FROM_START } from './state-requests.ts';

/** Work with the state of a scene as a run of its own has it, by the clock of the scene. */
export async function inState<Result>(
  scene: Scene,
  work: (state: State) => Promise<Result>,
  service?: string,
): Promise<Result> {
  // A world has its name from the first visit on.
  await scene.service(() => undefined);
  const name = service ?? (await scene.readState(async (state) => state.service));
  const opening = State.take(
    {
      location: { kind: 'sqlite', directory: scene.state.directory },
      clock: scene.clock,
      run: `earlier${(runs += 1)}`,
      who: 'mia',
      holder: 'mia, process 1',
      service: () => name,
    },
    0,
  );
  return withState(opening, work);
}

let runs = 0;

/** Records a request that has left, and its end if it has one. Returns its entry. */
export function recorded(
  scene: Scene,
  request: Partial<NewRequest> = {},
  ending: Ending | null = null,
): Promise<string> {
  return inState(scene, async (state) => {
    const begun = await state.begin({ ...CREATE, ...request }, FROM_START);
    if (begun.kind !== 'begun') throw new Error(`refused: ${begun.hindrance.kind}`);
    if (ending !== null) await state.end(begun.entry, ending);
    return begun.entry;
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
