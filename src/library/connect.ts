import { uploadsForApply } from '../acts/upload/upload.ts';
import { type Client, createClient } from '../api/client.ts';
import { connectOverHttp } from '../api/connect.ts';
import { ApiKey } from '../api/key.ts';
import { Limiter } from '../api/limiter.ts';
import type { BeginUploads, ExamineMedia } from '../domain/media.ts';
import type { Files, PutBytes } from '../domain/ports.ts';
import { EMBEDDED_BASE_URL, findWorldFile, worldOrigin } from '../domain/service-identity.ts';
import { SERVICE_DEFAULTS, type Workspace, type WorkspaceSettings } from '../domain/workspace.ts';
import type { Subject } from '../engine/look.ts';
import { type Run, type RunState, serviceTime } from '../engine/run.ts';
import { loadDeclared, loadSettings, requireValid } from '../workspace/load.ts';
import { examineOnce } from './media.ts';
import type { WorkspacePorts } from './ports.ts';
import { formatCommand } from '../domain/command-line.ts';
import { HeraldError } from '../domain/herald-error.ts';
import { waitAtMost } from '../domain/time.ts';
import type { State } from '../state/state.ts';
import { LIVE, type StatePlace, withState } from './state-access.ts';

/** The settings of a workspace, and a connection to its service and to the object store of its presigned URLs. */
export interface Service extends ReturnType<typeof makeRuns> {
  readonly client: Client;
  readonly putBytes: PutBytes;
  readonly ports: WorkspacePorts;
  readonly workspace: WorkspaceSettings;
}

/**
 * Connects to the workspace's service: over HTTP, or to the embedded simulator. Sends nothing. Throws `HeraldError`
 * without a usable key, proxy or world, or if the service may not get the key.
 */
export async function connect(ports: WorkspacePorts, workspace: WorkspaceSettings): Promise<Service> {
  const { service } = workspace;
  const { putBytes, ...connection } =
    service.target.kind === 'http'
      ? await connectOverHttp(ports, service, service.target.baseUrl)
      : await connectToWorld(ports, service.target.worldFile);
  const { onChange, log } = ports;
  const client = createClient({
    ...connection,
    fetch: (request, row) => {
      if (row.writes) onChange?.();
      return connection.fetch(request, row);
    },
    listStyle: service.listStyle,
    timeoutMs: service.requestTimeoutSec * 1000,
    rates: ports.rateBudget?.(service.rateShare) ?? new Limiter(ports.clock, service.rateShare),
    clock: ports.clock,
    random: ports.random,
    log: (line) => log?.(line),
  });
  return { client, putBytes, ports, workspace, ...makeRuns(client, ports, service) };
}

/** What works with the state of a connected service. */
function makeRuns(client: Client, ports: WorkspacePorts, settings: WorkspaceSettings['service']) {
  const { state: access, clock, interrupted, report } = ports;
  const { identity } = settings;
  const settleMs = settings.settleSec * 1000;
  const place: StatePlace = {
    // `live` for every address that does not answer as a simulator, else its world.
    service: () => (client.isSimulator() || findWorldFile(client.address) !== null ? client.address : LIVE),
    // The state keeps whole milliseconds, and the monotonic clock has parts of them.
    latestMs: () => Math.ceil(serviceTime({ client, clock }).latestMs),
  };
  /** `command` is the name of the run in the record. */
  const createRun = (state: RunState, command: string): Run => {
    return { client, state, clock, command, settleMs, interrupted, report };
  };
  return {
    /** The service, as an answer may have corrected it: it tells whether it is a simulator. */
    identify: () => ({ ...identity, simulator: identity.simulator || client.isSimulator() }),
    /** A run on the state, opened to read. It sends only reads, and writes nothing. */
    withReadingRun: <Result>(work: (run: Run) => Promise<Result>) =>
      withState(access.read(place), (state) => work(createRun(state, 'plan'))),
    /**
     * A run with the lease. Rejects with `locked` while another run has it. The service must have answered before: that tells which
     * part of the state is meant. `writesBranch` is set for `herald ci apply`, which alone writes a state on a git branch.
     */
    withLeasedRun: async <Result>(
      {
        command,
        writesBranch = false,
      }: { readonly command: string; readonly writesBranch?: boolean | undefined },
      work: (run: Run) => Promise<Result>,
    ) => {
      const state = await access.take(place, { ...ports, command: writesBranch ? null : command });
      return ports.protect(() => withState(state, () => work(createRun(state, command)), report));
    },
    /**
     * A run without the lease, for what does not wait for others, such as a stop by hand. A state that cannot be opened does not hold
     * it up: it refuses each record, and the result says that it is not on record.
     */
    withJoinedRun: <Result>(command: string, work: (run: Run) => Promise<Result>) =>
      withState(limitWaits(access.join(place), ports), (state) => work(createRun(state, command)), report),
  };
}

/** The files of a workspace, with a connection to its service. */
export interface Opened extends Subject, Service {
  readonly workspace: Workspace;
  /** The digest of the files as they are by now; null if they are not valid any more. */
  readonly digestNow: () => Promise<string | null>;
  /** Checks a media file, once per run. */
  readonly examineMedia: ExamineMedia;
  /** Uploads declared files to vaults. */
  readonly uploads: (run: Run) => BeginUploads;
}

/** Loads the files and connects. Sends nothing. `draft` is one more file, with broadcasts that are sent at once. */
export async function openFiles(ports: WorkspacePorts, draft?: string): Promise<Opened> {
  const { files, bytes, env, interrupted, random, followUpload: follow } = ports;
  const media = examineOnce(bytes, interrupted, 'read');
  const load = () =>
    loadDeclared(files, { env, media: media.examine, ...(draft === undefined ? {} : { draft }) });
  const loaded = requireValid(await load());
  const service = await connect(ports, loaded.workspace);
  const { putBytes } = service;
  return {
    ...service,
    ...loaded,
    digestNow: async () => {
      const now = await load();
      return now.kind === 'invalid' ? null : now.workspace.digest();
    },
    examineMedia: media.examine,
    uploads: (run) => uploadsForApply(run, { bytes, putBytes, random, findFile: media.findFile, follow }),
    accountIds: new Map(),
    unseen: new Map(),
  };
}

async function connectToWorld({ files, clock, random }: WorkspacePorts, worldFile: string) {
  const { openEmbedded } = await import('../simulator/embedded.ts');
  const { worldId, key, ...rest } = await openEmbedded(files, worldFile, { clock, random });
  const address = worldOrigin(worldFile, worldId);
  const { authHeader } = SERVICE_DEFAULTS;
  return { ...rest, address, baseUrl: EMBEDDED_BASE_URL, authHeader, key: new ApiKey(key) };
}

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
