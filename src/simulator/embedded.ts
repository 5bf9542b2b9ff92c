import { HeraldError } from '../domain/herald-error.ts';
import type { Clock, Files } from '../domain/ports.ts';
import { deliver } from './exchange.ts';
import { createSimulator } from './simulator.ts';
import { putInProcess } from './storage.ts';
import { createWorld, parseWorld, serializeWorld, type World } from './world.ts';

/**
 * A simulator inside this process. It runs the world of a file, or a new one without a file. The file is written after each request that may have
 * changed something, before the answer is delivered. Changes through reads alone need no write: time causes them
 * again.
 */
export async function openEmbedded(
  files: Pick<Files, 'exists' | 'readText' | 'writeAtomically'>,
  worldFile: string,
  { clock, random }: { readonly clock: Clock; readonly random: () => number },
) {
  const world = await openWorld(files, worldFile, random);
  const key = world.keys.find((known) => !known.revoked);
  if (key === undefined) throw badWorld(worldFile, 'The world has no valid key.');
  const simulator = createSimulator(world, { clock });
  let saving: Promise<void> = Promise.resolve();
  const write = () => files.writeAtomically(worldFile, serializeWorld(world));
  const save = () => (saving = saving.then(write, write));
  return {
    worldId: world.id,
    /** A key that the world accepts. */
    key: key.key,
    authHeader: world.authHeader,
    async fetch(request: Request): Promise<Response> {
      let result;
      try {
        result = await simulator.exchange(request);
      } finally {
        // What the request has changed is kept, also if its client left before a slow answer.
        const delivered = await simulator.courier.deliver();
        if (request.method !== 'GET' || delivered > 0) await save();
      }
      return deliver(result, request.signal);
    },
    /** The object store behind the presigned URLs of this world. */
    putBytes: putInProcess(async (request) => {
      const result = await simulator.store(request);
      await save();
      return result;
    }),
  };
}

/** The world of a file, or a new one with an id of its own if the file does not exist. Throws `bad-world`. */
export async function openWorld(
  files: Pick<Files, 'exists' | 'readText'>,
  worldFile: string,
  random: () => number,
): Promise<World> {
  if (!(await files.exists(worldFile))) return createWorld({ id: newWorldId(random) });
  try {
    return parseWorld(await files.readText(worldFile));
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
