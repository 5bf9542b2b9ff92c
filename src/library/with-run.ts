import { formatCommand } from '../domain/command-line.ts';
import { HeraldError } from '../domain/herald-error.ts';
import type { Files } from '../domain/ports.ts';
import { worldFileOf, worldOrigin } from '../domain/service-identity.ts';
import { waitAtMost } from '../domain/time.ts';
import type { WorkspaceSettings } from '../domain/workspace.ts';
import { serviceTime, type Run, type RunState } from '../engine/run.ts';
import type { State } from '../state/state.ts';
import { loadSettings, requireValid } from '../workspace/load.ts';
import type { Service } from './connect.ts';
import type { WorkspacePorts } from './ports.ts';
import { LIVE, type StatePlace, withState } from './state-access.ts';

/**
 * Work with the state of the service that `herald.yaml` names, for a command that does not connect to it. An address that never
 * answered as a simulator is the live service.
 */
export async function withoutService<Result>(
  { files, env }: Pick<WorkspacePorts, 'files' | 'env'>,
  open: (place: StatePlace) => Promise<State>,
  work: (state: State, settings: WorkspaceSettings) => Promise<Result>,
  report?: Run['report'],
): Promise<Result> {
  const { settings } = requireValid(await loadSettings(files, { env, mayLackFile: true }));
  const { target } = settings.service;
  const isWorld = target.kind === 'simulator';
  let name = isWorld ? await nameWorld(files, target.worldFile) : target.baseUrl;
  return withState(
    open({ service: () => name }),
    async (state) => {
      const rows = isWorld ? null : [await state.history({ limit: 1 }), await state.allObjects()].flat();
      if (rows?.length === 0) name = LIVE;
      return work(state, settings);
    },
    report,
  );
}

/** A world that is not made yet, or cannot be read, has no rows. */
async function nameWorld(files: Pick<Files, 'readText'>, worldFile: string): Promise<string> {
  const { parseWorld } = await import('../simulator/world.ts');
  try {
    return worldOrigin(worldFile, parseWorld(await files.readText(worldFile)).id);
  } catch {
    return worldOrigin(worldFile, 'none');
  }
}

/** A run on the state of a connected service, opened to read. It sends only reads, and writes nothing. */
export function withReadingRun<Result>(
  service: Service,
  work: (run: Run) => Promise<Result>,
): Promise<Result> {
  const opening = service.ports.state.read(findPlace(service));
  return withState(opening, (state) => work(createRun(service, state, 'plan')));
}

/**
 * A run with the lease. Rejects with `locked` while another run has it. The service must have answered before: that tells which
 * part of the state is meant. `writesBranch` is set for `herald ci apply`, which alone writes a state on a git branch.
 */
export async function withLeasedRun<Result>(
  service: Service,
  {
    command,
    writesBranch = false,
  }: { readonly command: string; readonly writesBranch?: boolean | undefined },
  work: (run: Run) => Promise<Result>,
): Promise<Result> {
  const { ports } = service;
  const wait = { ...ports, command: writesBranch ? null : command };
  const state = await ports.state.take(findPlace(service), wait);
  return ports.protect(() => withState(state, () => work(createRun(service, state, command)), ports.report));
}

/**
 * A run without the lease, for what does not wait for others, such as a stop by hand. A state that cannot be opened does not hold it
 * up: it refuses each record, and the result says that it is not on record.
 */
export async function withJoinedRun<Result>(
  service: Service,
  command: string,
  work: (run: Run) => Promise<Result>,
): Promise<Result> {
  const { ports } = service;
  const state = limitWaits(ports.state.join(findPlace(service)), ports);
  return withState(state, () => work(createRun(service, state, command)), ports.report);
}

/** What does not wait for other runs waits no longer than this for the state. */
const STATE_MS = 5_000;

/**
 * A state that is not waited for: while a use of it has had no answer for so long, it refuses the others at once. On a branch it
 * records nothing, because only a job returns rows there.
 */
function limitWaits(
  opening: Promise<State>,
  { state: access, clock }: WorkspacePorts,
): RunState & Pick<State, 'close'> {
  let late: HeraldError | null = null;
  let opened: State | null = null;
  const use = async <Found>(work: (state: State) => Promise<Found>): Promise<Found> => {
    if (late !== null) throw late;
    const answer = opening.then((state) => work((opened = state)));
    const settled = answer.then((value) => ({ value }));
    const found = await waitAtMost(clock, STATE_MS, settled);
    if (found !== null) return found.value;
    late = new HeraldError('state-unreachable', 'the state does not answer', '');
    const isBack = () => (late = null);
    answer.then(isBack, isBack);
    throw late;
  };
  const record = async <Found>(work: (state: State) => Promise<Found>): Promise<Found> => {
    const at = await access.location();
    if (at.kind !== 'branch') return use(work);
    const only = formatCommand('ci', 'apply');
    throw new HeraldError(
      'state-read-only',
      `it is on the branch ${at.branch}, which only ${only} writes`,
      '',
    );
  };
  return {
    close: async () => {
      const closing = opening.then((state) => state.close()).catch(() => undefined);
      if (late === null) await waitAtMost(clock, STATE_MS, closing);
    },
    begin: (...given) => record((state) => state.begin(...given)),
    repeat: (...given) => record((state) => state.repeat(...given)),
    left: (entry) => opened?.left(entry),
    end: (...given) => record((state) => state.end(...given)),
    learn: (facts) => use((state) => state.learn(facts)),
    open: () => use((state) => state.open()),
    known: (accountIds) => use((state) => state.known(accountIds)),
    past: (accountIds) => use((state) => state.past(accountIds)),
    running: () => use((state) => state.running()),
    history: (filter) => use((state) => state.history(filter)),
    stopByHand: (...given) => use((state) => state.stopByHand(...given)),
    leaseRecord: () => use((state) => state.leaseRecord()),
    endCut: (...given) => use((state) => state.endCut(...given)),
  };
}

/** `command` is the name of the run in the record. */
function createRun({ ports, client, workspace }: Service, state: RunState, command: string): Run {
  const { clock, interrupted, report } = ports;
  const settleMs = workspace.service.settleSec * 1000;
  return { client, state, clock, command, settleMs, interrupted, report };
}

function findPlace({ client, ports: { clock } }: Service): StatePlace {
  const { address } = client;
  return {
    // `live` for every address that does not answer as a simulator, else its world.
    service: () => (client.isSimulator() || worldFileOf(address) !== null ? address : LIVE),
    // The state keeps whole milliseconds, and the monotonic clock has parts of them.
    latestMs: () => Math.ceil(serviceTime({ client, clock }).latestMs),
  };
}
