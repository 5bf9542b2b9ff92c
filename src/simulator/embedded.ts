import { HeraldError } from '../domain/herald-error.ts';
import { type Clock, type Files, type Lock, NEVER_SENT_CODE } from '../domain/ports.ts';
import { deliver } from './exchange.ts';
import { createSimulator, type Simulator } from './simulator.ts';
import { putInProcess } from './storage.ts';
import { createWorld, parseWorld, serializeWorld, type World } from './world.ts';

/** A simulator inside this process. It runs the world of a file, or a new one without a file. */
export async function openEmbedded(files: WorldFiles, worldFile: string, options: EmbeddedOptions) {
  const text = await readIfThere(files, worldFile);
  const world = loadWorld(worldFile, text, options.random);
  const key = world.keys.find((known) => !known.revoked);
  if (key === undefined) throw badWorld(worldFile, 'The world has no valid key.');
  const shared = new SharedWorld(files, worldFile, options, { world, text });
  return {
    worldId: world.id,
    /** A key that the world accepts. */
    key: key.key,
    async fetch(request: Request): Promise<Response> {
      const exchange = (simulator: Simulator) => simulator.exchange(request);
      const result = request.method === 'GET' ? await shared.read(exchange) : await shared.change(exchange);
      return deliver(result, request.signal);
    },
    /** The object store behind the presigned URLs of this world. */
    putBytes: putInProcess((request) => shared.change((simulator) => simulator.store(request))),
  };
}

type WorldFiles = Pick<Files, 'exists' | 'readText' | 'writeAtomically' | 'tryLock'>;

interface EmbeddedOptions {
  readonly clock: Clock;
  /** From 0 to 1. */
  readonly random: () => number;
}

/** How often the lock of another process is tried. */
const POLL_MS = 10;

/**
 * The world of a file that other processes use too. The file is read before each request if another process has changed it.
 * It is written after each request that may have changed something, before the answer is delivered. Changes through
 * reads alone need no write: time causes them again.
 */
class SharedWorld {
  readonly #files: WorldFiles;
  readonly #path: string;
  readonly #options: EmbeddedOptions;
  /** What this process has read or written last. */
  #text: string | null;
  #simulator: Simulator;
  #saving: Promise<void> = Promise.resolve();
  /** How many requests of this process change the world. They have its lock together. */
  #changing = 0;
  #begun: Promise<void> = Promise.resolve();
  #lock: Lock | null = null;

  constructor(
    files: WorldFiles,
    path: string,
    options: EmbeddedOptions,
    { world, text }: { readonly world: World; readonly text: string | null },
  ) {
    this.#files = files;
    this.#path = path;
    this.#options = options;
    this.#text = text;
    this.#simulator = createSimulator(world, options);
  }

  async read<Result>(work: (simulator: Simulator) => Promise<Result>): Promise<Result> {
    if (this.#changing === 0) await this.#refresh();
    const result = await work(this.#simulator);
    if (this.#simulator.world.webhooks.outgoing.length > 0) await this.change(async () => undefined);
    return result;
  }

  async change<Result>(work: (simulator: Simulator) => Promise<Result>): Promise<Result> {
    this.#changing += 1;
    if (this.#changing === 1) this.#begun = this.#begin();
    try {
      await this.#begun;
      try {
        return await work(this.#simulator);
      } finally {
        // What the request has changed is kept, also if its client left before a slow answer.
        await this.#simulator.courier.deliver();
        const write = () => this.#write();
        await (this.#saving = this.#saving.then(write, write));
      }
    } finally {
      this.#changing -= 1;
      if (this.#changing === 0) {
        this.#lock?.release();
        this.#lock = null;
      }
    }
  }

  async #begin(): Promise<void> {
    try {
      while (this.#files.tryLock !== undefined && this.#lock === null) {
        this.#lock = await this.#files.tryLock(`${this.#path}.lock`);
        if (this.#lock === null) await this.#options.clock.sleep(POLL_MS);
      }
      await this.#refresh();
    } catch (error) {
      throw Object.assign(new Error('', { cause: error }), { code: NEVER_SENT_CODE });
    }
  }

  async #refresh(): Promise<void> {
    const before = this.#text;
    const text = await readIfThere(this.#files, this.#path);
    // Another request may have read or written a newer text meanwhile.
    if (text === null || text === this.#text || this.#text !== before) return;
    const world = loadWorld(this.#path, text, this.#options.random);
    if (world.id !== this.#simulator.world.id)
      throw new HeraldError('bad-world', `${this.#path} is another world now.`, 'Run the command again.');
    this.#text = text;
    this.#simulator = createSimulator(world, this.#options);
  }

  async #write(): Promise<void> {
    const before = this.#text;
    this.#text = serializeWorld(this.#simulator.world);
    try {
      await this.#files.writeAtomically(this.#path, this.#text);
    } catch (error) {
      this.#text = before;
      throw error;
    }
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
  if (text === null) return createWorld({ id: newWorldId(random) });
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

/** An id for a new world. `random` is from 0 to 1. */
function newWorldId(random: () => number): string {
  return random().toString(16).slice(2, 10).padEnd(8, '0');
}
