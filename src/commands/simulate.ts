import { isOperation, OPERATIONS, type Operation } from '../api/catalogue.ts';
import type { Context } from '../cli/context.ts';
import { defineCommand, itemDocument } from '../cli/define-command.ts';
import { parsedFlag, parseWholeNumber, suggestedFlag, switchFlag, textFlag } from '../cli/flags.ts';
import { refusePort } from '../cli/failure-of.ts';
import { formatCommand } from '../domain/command-line.ts';
import { EXIT } from '../domain/exit-codes.ts';
import { fileProblem } from '../domain/file-problem.ts';
import { HeraldError } from '../domain/herald-error.ts';
import { shown, visible } from '../domain/visible.ts';
import { renderJson } from '../render/json.ts';
import { CONTROL_PREFIX } from '../simulator/control.ts';
import { openWorld } from '../simulator/embedded.ts';
import { serveSimulator } from '../simulator/serve.ts';
import { createSimulator, type Simulator } from '../simulator/simulator.ts';
import { createWorld, serializeWorld, type World } from '../simulator/world.ts';

const LOOPBACK = '127.0.0.1';
const SAVE_EVERY_MS = 1_000;

/** Runs a local simulator of the service until it is interrupted. */
export const simulate = defineCommand({
  path: 'simulate',
  about: 'start a local simulator of the service',
  examples: [
    'herald simulate --port 4010 --world .herald/world.json',
    'herald simulate --demo --lose-answer campaigns.create',
  ],
  flags: {
    port: parsedFlag(
      '--port <number>',
      'port to listen on (default: 0, which means any free one)',
      parseWholeNumber(0, 65_535),
    ),
    world: textFlag('--world <file>', 'save the world in this file'),
    demo: switchFlag('--demo', 'begin with campaigns and broadcasts that a person made by hand'),
    loseAnswer: suggestedFlag(
      '--lose-answer <operation>',
      'carry out the next call of this operation, and drop the connection before the answer',
      OPERATIONS,
    ),
  },
  needs: 'nothing',
  run: async (context, { port = 0, world: path, demo, loseAnswer, format }) => {
    const lost = loseAnswer === undefined ? null : readOperation(loseAnswer);
    const isNew = path === undefined || !(await context.typed.files.exists(path));
    const world = path === undefined ? createWorld() : await openKept(context, path);
    const log = (line: string) => {
      if (context.flags.verbose) context.output.say(visible(line));
    };
    const simulator = createSimulator(world, { clock: context.clock, log });
    if (demo && isNew) seedDemo(simulator);
    if (lost !== null)
      simulator.control.addFault({
        kind: 'broken_answer',
        when: 'after_commit',
        how: 'reset',
        operation: lost,
        nth: 1,
      });
    const save = path === undefined ? async () => undefined : createSaver(context, world, path, isNew);
    // Fail before it listens if the world cannot be kept.
    await save();
    const served = await serveSimulator(simulator, { port }).catch((error: unknown) =>
      refusePort(error, LOOPBACK, port, '--port'),
    );
    const { url } = served;
    const key = world.keys[0]?.key ?? '';
    const item = { url, api_key: key, control_url: `${url}${CONTROL_PREFIX}/` };
    const words = shown`Simulator at ${url}\nUse it with: HERALD_BASE_URL=${url} HERALD_API_KEY=${key} ${formatCommand('plan')}\nControl it under ${item.control_url} (a GET lists its paths). Stop it with Ctrl-C.`;
    await context.protect(
      async () => {
        // Printed last, because a reader of this line may interrupt immediately.
        context.output.result(format === 'json' ? renderJson(itemDocument(item)) : words);
        try {
          while (!context.interrupted.aborted) {
            await context.clock.sleep(SAVE_EVERY_MS, context.interrupted).catch(() => undefined);
            await save();
          }
        } finally {
          await served.close();
        }
        await save();
      },
      { first: 'Stopped.', second: 'Stopped immediately.' },
    );
    return EXIT.done;
  },
});

function readOperation(name: string): Operation {
  if (isOperation(name)) return name;
  throw new HeraldError(
    'unknown-operation',
    `Unknown operation "${name}".`,
    `To list all operations: ${formatCommand('api', '--list')}`,
  );
}

const DEMO_ACCOUNT = '101';

/** What a person made on the service's own screens, to import and to see in a plan. */
function seedDemo({ control }: Simulator): void {
  const everyone = { audience_filters: [], created_by: { type: 'user', id: '1' } };
  control.seedCampaign(DEMO_ACCOUNT, {
    ...everyone,
    name: 'Welcome',
    messages: [{ text: 'Hi, and thank you for subscribing!' }],
  });
  control.seedCampaign(DEMO_ACCOUNT, {
    ...everyone,
    name: 'Studio tour',
    status: 'paused',
    messages: [{ text: 'A short tour of the studio', price_gross: 9 }],
  });
  control.seedBroadcast(DEMO_ACCOUNT, {
    ...everyone,
    name: 'Next week',
    scheduled_at: new Date(control.now() + 7 * 86_400_000).toISOString(),
    messages: [{ text: 'Something new is coming next week' }],
  });
}

function openKept(context: Context, path: string): Promise<World> {
  return openWorld(context.typed.files, path, context.random).catch((error: unknown) => {
    throw new HeraldError(
      'bad-world',
      `The simulator cannot start: ${(error as Error).message}`,
      'To begin a new world, remove the file.',
    );
  });
}

/** Saves the world after each change. A new one is written immediately. */
function createSaver({ typed }: Context, world: World, path: string, isNew: boolean): () => Promise<void> {
  let saved = isNew ? '' : serializeChanges(world);
  return async () => {
    const changes = serializeChanges(world);
    if (changes === saved) return;
    try {
      await typed.files.writeAtomically(path, serializeWorld(world));
    } catch (error) {
      throw new HeraldError(
        'bad-world',
        `The world cannot be written to ${path}: ${fileProblem(error)}. The simulator has stopped.`,
        'Make the folder writable, or name another file with --world.',
      );
    }
    saved = changes;
  };
}

/** The state worth saving, without the current time and the log of reads. */
function serializeChanges(world: World): string {
  const storage = { ...world.storage, baseUrl: '', puts: [], nextPut: 0 };
  return serializeWorld({ ...world, nowMs: 0, requests: [], nextRequest: 0, throttled: 0, storage });
}
