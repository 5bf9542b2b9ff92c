import { hasCode } from '../domain/herald-error.ts';
import type { Files } from '../domain/ports.ts';
import { worldFileOf, worldOrigin } from '../domain/service-identity.ts';
import type { WorkspaceSettings } from '../domain/workspace.ts';
import { serviceTime, type Run, type RunState } from '../engine/run.ts';
import type { State } from '../state/state.ts';
import { loadSettings, requireValid } from '../workspace/load.ts';
import type { Service } from './connect.ts';
import type { WorkspacePorts } from './ports.ts';
import { LIVE, type ServiceName, withState } from './state-access.ts';

/**
 * Work with the state of the service that `herald.yaml` names, for a command that does not connect to it. An address that never
 * answered as a simulator is the live service.
 */
export async function withoutService<Result>(
  { files, env }: Pick<WorkspacePorts, 'files' | 'env'>,
  open: (service: ServiceName) => Promise<State>,
  work: (state: State, settings: WorkspaceSettings) => Promise<Result>,
  report?: Run['report'],
): Promise<Result> {
  const { settings } = requireValid(await loadSettings(files, { env, mayLackFile: true }));
  const { target } = settings.service;
  const isWorld = target.kind === 'simulator';
  let name = isWorld ? await nameWorld(files, target.worldFile) : target.baseUrl;
  return withState(
    open(() => name),
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
  const opening = service.ports.state.read(() => nameService(service));
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
  const state = await ports.state.take(
    () => nameService(service),
    wait,
    () => readLatest(service),
  );
  return ports.protect(() =>
    withState(Promise.resolve(state), () => work(createRun(service, state, command)), ports.report),
  );
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
  const opening = service.ports.state
    .join(
      () => nameService(service),
      () => readLatest(service),
    )
    .catch(refuseRecords);
  return withState(opening, (state) => work(createRun(service, state, command)), service.ports.report);
}

function refuseRecords(error: unknown): RunState & Pick<State, 'close'> {
  if (!hasCode(error, 'state-')) throw error;
  const refuse = () => Promise.reject(error);
  return {
    close: () => Promise.resolve(),
    begin: refuse,
    repeat: refuse,
    left: () => undefined,
    end: refuse,
    learn: refuse,
    open: refuse,
    known: refuse,
    past: refuse,
    running: refuse,
    history: refuse,
    endCut: refuse,
  };
}

/** `command` is the name of the run in the record. */
function createRun({ ports, client, settings }: Service, state: RunState, command: string): Run {
  const { clock, interrupted, report } = ports;
  const settleMs = settings.service.settleSec * 1000;
  return { client, state, clock, command, settleMs, interrupted, report };
}

function readLatest({ client, ports: { clock } }: Service): number {
  return serviceTime({ client, clock }).latestMs;
}

/** `live` for every address that does not answer as a simulator, else its world. */
function nameService({ client }: Service): string {
  const { address } = client;
  return client.isSimulator() || worldFileOf(address) !== null ? address : LIVE;
}
