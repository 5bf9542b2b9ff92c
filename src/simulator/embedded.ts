import { HeraldError } from '../domain/herald-error.ts';
import { type Clock, type Files, type Lock, NEVER_SENT_CODE } from '../domain/ports.ts';
import { deliver } from './answers.ts';
import { createSimulator } from './simulator.ts';
import { putInProcess } from './uploads.ts';
import { createWorld, parseWorld, serializeWorld, type World } from './world.ts';

type WorldFiles = Pick<Files, 'exists' | 'readText' | 'writeAtomically' | 'tryLock'>;

interface EmbeddedOptions {
  readonly clock: Clock;
  /** From 0 to 1. */
  readonly random: () => number;
}

/** How often the lock of another process is tried. */
const POLL_MS = 10;

/**
 * A simulator inside this process. It runs the world of a file, or a new one without a file. Other processes may use it too: the
 * file is read before each request if another process has changed it, and written after each request that may have changed something,
 * before the answer is delivered. Changes through reads alone need no write: time causes them again.
 */
export async function openEmbedded(files: WorldFiles, path: string, options: EmbeddedOptions) {
  let text = await readIfThere(files, path);
  let simulator = createSimulator(loadWorld(path, text, options.random), options);
  const { id: worldId, keys } = simulator.world;
  const key = keys.find((known) => !known.revoked);
  if (key === undefined) throw badWorld(path, 'The world has no valid key.');

  const refresh = async (): Promise<void> => {
    const before = text;
    const found = await readIfThere(files, path);
    // Another request may have read or written a newer text meanwhile.
    if (found === null || found === text || text !== before) return;
    const world = loadWorld(path, found, options.random);
    if (world.id !== worldId)
      throw new HeraldError('bad-world', `${path} is another world now.`, 'Run the command again.');
    text = found;
    simulator = createSimulator(world, options);
  };
  const save = async (): Promise<void> => {
    await simulator.courier.deliver();
    const changed = serializeWorld(simulator.world);
    await files.writeAtomically(path, changed);
    text = changed;
  };
  let last: Promise<unknown> = Promise.resolve();
  /** One after the other, each with the lock of the file. */
  const change = <Result>(work: () => Promise<Result>): Promise<Result> => {
    const workAndSave = async (): Promise<Result> => {
      try {
        return await work();
      } finally {
        // What the request has changed is kept, also if its client left before a slow answer.
        await save();
      }
    };
    const run = () => withLock({ files, path, clock: options.clock }, refresh, workAndSave);
    const done = last.then(run, run);
    last = done;
    return done;
  };
  const read = async (request: Request) => {
    await refresh();
    const result = await simulator.exchange(request);
    if (simulator.world.webhooks.outgoing.length > 0) await change(async () => undefined);
    return result;
  };
  return {
    worldId,
    /** A key that the world accepts. */
    key: key.key,
    async fetch(request: Request): Promise<Response> {
      const isRead = request.method === 'GET';
      const result = await (isRead ? read(request) : change(() => simulator.exchange(request)));
      return deliver(result, request.signal);
    },
    /** The object store behind the presigned URLs of this world. */
    putBytes: putInProcess((request) => change(() => simulator.store(request))),
  };
}

/** Does the work with the lock of the file. After an error before the work, the request was never sent. */
async function withLock<Result>(
  { files, path, clock }: { readonly files: WorldFiles; readonly path: string; readonly clock: Clock },
  prepare: () => Promise<void>,
  work: () => Promise<Result>,
): Promise<Result> {
  let held: Lock | null = null;
  try {
    try {
      while (files.tryLock !== undefined && held === null) {
        held = await files.tryLock(`${path}.lock`);
        if (held === null) await clock.sleep(POLL_MS);
      }
      await prepare();
    } catch (cause) {
      throw Object.assign(new Error('', { cause }), { code: NEVER_SENT_CODE });
    }
    return await work();
  } finally {
    held?.release();
  }
}

/** The world of a file, or a new one with an id of its own if the file does not exist. Throws `bad-world`. */
export async function openWorld(
  files: Pick<Files, 'exists' | 'readText'>,
  worldFile: string,
  random: () => number,
): Promise<World> {
  return loadWorld(worldFile, await readIfThere(files, worldFile), random);
}

async function readIfThere(
  files: Pick<Files, 'exists' | 'readText'>,
  worldFile: string,
): Promise<string | null> {
  if (!(await files.exists(worldFile))) return null;
  try {
    return await files.readText(worldFile);
  } catch (error) {
    throw badWorld(worldFile, (error as Error).message);
  }
}

function loadWorld(worldFile: string, text: string | null, random: () => number): World {
  if (text === null) return createWorld({ id: random().toString(16).slice(2, 10).padEnd(8, '0') });
  try {
    return parseWorld(text);
  } catch (error) {
    throw badWorld(worldFile, (error as Error).message);
  }
}

function badWorld(worldFile: string, why: string): HeraldError {
  return new HeraldError(
    'bad-world',
    `The simulator cannot start: ${worldFile}: ${why}`,
    'To begin a new world, remove the file.',
  );
}
