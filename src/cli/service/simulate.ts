import { EXIT } from '../../domain/exit-codes.ts';
import { HeraldError } from '../../domain/herald-error.ts';
import { formatCommand } from '../../domain/command-line.ts';
import { fileProblem } from '../../domain/file-problem.ts';
import type { Context } from '../context.ts';
import { shown, visible, type Visible } from '../../domain/visible.ts';
import { CONTROL_PREFIX } from '../../simulator/control-routes.ts';
import { createSimulator } from '../../simulator/simulator.ts';
import { openWorld } from '../../simulator/embedded.ts';
import { serveSimulator } from '../../simulator/serve.ts';
import { createWorld, serializeWorld, type World } from '../../simulator/world.ts';
import { renderJson } from '../../render/json.ts';
import { refusePort } from '../port-in-use.ts';
import { chooseFormat, REPORT_FORMATS } from '../formats.ts';

export interface SimulateFlags {
  readonly port: number;
  /** File that keeps the world between runs. Undefined to forget it at the end. */
  readonly world: string | undefined;
}

const LOOPBACK = '127.0.0.1';
const SAVE_EVERY_MS = 1_000;

const INTERRUPTS = { first: 'Stopped.', second: 'Stopped immediately.' };

/** `herald simulate`: runs a local simulator of the service until it is interrupted. */
export async function simulateCommand(context: Context, flags: SimulateFlags): Promise<number> {
  const format = chooseFormat(context, REPORT_FORMATS);
  const world = flags.world === undefined ? createWorld() : await opened(context, flags.world);
  const save = flags.world === undefined ? async () => undefined : await saver(context, world, flags.world);
  // Fail before it listens if the world cannot be kept.
  await save();
  const log = (line: string) => {
    if (context.flags.verbose) context.output.say(visible(line));
  };
  const simulator = createSimulator(world, { clock: context.clock, log });
  const served = await serveSimulator(simulator, { port: flags.port }).catch((error: unknown) =>
    refusePort(error, LOOPBACK, flags.port, '--port'),
  );
  const key = world.keys[0]?.key ?? '';
  await context.protect(async () => {
    // Printed last, because a reader of this line may interrupt immediately.
    const { url } = served;
    const item = { url, api_key: key, control_url: `${url}${CONTROL_PREFIX}/` };
    context.output.result(format === 'json' ? renderJson({ schema: 'herald/item/1', item }) : wordsOf(item));
    try {
      while (!context.interrupted.aborted) {
        await context.clock.sleep(SAVE_EVERY_MS, context.interrupted).catch(() => undefined);
        await save();
      }
    } finally {
      await served.close();
    }
    await save();
  }, INTERRUPTS);
  return EXIT.done;
}

function wordsOf(item: {
  readonly url: string;
  readonly api_key: string;
  readonly control_url: string;
}): Visible {
  return shown`Simulator at ${item.url}\nUse it with: HERALD_BASE_URL=${item.url} HERALD_API_KEY=${item.api_key} ${formatCommand('plan')}\nControl it under ${item.control_url} (a GET lists its paths). Stop it with Ctrl-C.`;
}

function opened(context: Context, path: string): Promise<World> {
  return openWorld(context.typed.files, path, context.random).catch((error: unknown) => {
    throw new HeraldError(
      'bad-world',
      `The simulator cannot start: ${(error as Error).message}`,
      'To begin a new world, remove the file.',
    );
  });
}

/** Saves the world after each change. A missing file is written immediately. */
async function saver(context: Context, world: World, path: string): Promise<() => Promise<void>> {
  let saved = (await context.typed.files.exists(path)) ? matterOf(world) : '';
  return async () => {
    const matter = matterOf(world);
    if (matter === saved) return;
    try {
      await context.typed.files.writeAtomically(path, serializeWorld(world));
    } catch (error) {
      throw new HeraldError(
        'bad-world',
        `The world cannot be written to ${path}: ${fileProblem(error)}. The simulator has stopped.`,
        'Make the folder writable, or name another file with --world.',
      );
    }
    saved = matter;
  };
}

/** The state worth saving, without the current time and the log of reads. */
function matterOf(world: World): string {
  const storage = { ...world.storage, baseUrl: '', puts: [], nextPut: 0 };
  return serializeWorld({ ...world, nowMs: 0, requests: [], nextRequest: 0, throttled: 0, storage });
}
