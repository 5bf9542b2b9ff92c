import { isOperation, OPERATIONS } from '../api/catalogue.ts';
import type { Context } from '../cli/context.ts';
import { defineCommand } from '../cli/define-command.ts';
import { suggest, switchFlag, textFlag, wholeNumberFlag } from '../cli/flags.ts';
import { serveUntilInterrupted } from '../cli/serve.ts';
import { formatCommand } from '../domain/command-line.ts';
import { fileProblem } from '../domain/file-problem.ts';
import { HeraldError } from '../domain/herald-error.ts';
import { shown, visible } from '../domain/visible.ts';
import { openWorld } from '../simulator/embedded.ts';
import { serveSimulator } from '../simulator/serve.ts';
import { CONTROL_PREFIX, createSimulator, type Simulator } from '../simulator/simulator.ts';
import { createWorld, serializeWorld, type World, type WorldData } from '../simulator/world.ts';

export const simulate = defineCommand({
  path: 'simulate',
  about: 'start a local simulator of the service',
  examples: [
    'herald simulate --port 4010 --world .herald/world.json',
    'herald simulate --demo --lose-answer campaigns.create',
  ],
  flags: {
    port: wholeNumberFlag(
      '--port <number>',
      'port to listen on (default: 0, which means any free one)',
      [0, 65_535],
    ),
    world: textFlag('--world <file>', 'save the world in this file'),
    demo: switchFlag('--demo', 'begin with campaigns and broadcasts that a person made by hand'),
    loseAnswer: suggest(
      OPERATIONS,
      textFlag(
        '--lose-answer <operation>',
        'carry out the next call of this operation, and drop the connection before the answer',
      ),
    ),
  },
  needs: 'nothing',
  run: async (context, { port = 0, world: path, demo, loseAnswer, format }) => {
    if (loseAnswer !== undefined && !isOperation(loseAnswer)) {
      const hint = `To list all operations: ${formatCommand('api', '--list')}`;
      throw new HeraldError('unknown-operation', `Unknown operation "${loseAnswer}".`, hint);
    }
    const isNew = path === undefined || !(await context.typed.files.exists(path));
    const world =
      path === undefined ? createWorld() : await openWorld(context.typed.files, path, context.random);
    const log = (line: string) => {
      if (context.flags.verbose) context.output.say(visible(line));
    };
    const simulator = createSimulator(world, { clock: context.clock, log });
    if (demo && isNew) seedDemo(simulator);
    if (loseAnswer !== undefined)
      simulator.control.addFault({
        kind: 'broken_answer',
        when: 'after_commit',
        how: 'reset',
        operation: loseAnswer,
        nth: 1,
      });
    const save = path === undefined ? async () => undefined : createSaver(context, world, path, isNew);
    // Fail before it listens if the world cannot be kept.
    await save();
    const start = async () => {
      const served = await serveSimulator(simulator, { port });
      const { url } = served;
      const key = world.keys[0]?.key ?? '';
      const item = { url, api_key: key, control_url: `${url}${CONTROL_PREFIX}/` };
      const text = shown`Simulator at ${url}\nUse it with: HERALD_BASE_URL=${url} HERALD_API_KEY=${key} ${formatCommand('plan')}\nControl it under ${item.control_url} (a GET lists its paths). Stop it with Ctrl-C.`;
      const close = async () => {
        await served.close();
        await save();
      };
      return { item, text, tick: save, close };
    };
    return serveUntilInterrupted(context, format, { host: '127.0.0.1', port, start });
  },
});

const DEMO_ACCOUNT = '101';

/** What a person made on the service's own screens, to import and to see in a plan. */
function seedDemo({ control }: Simulator): void {
  const hourMs = 3_600_000;
  const nextWeekMs = Math.ceil(control.now() / hourMs) * hourMs + 7 * 24 * hourMs;
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
    scheduled_at: new Date(nextWeekMs).toISOString(),
    messages: [{ text: 'Something new is coming next week' }],
  });
}

/** Saves the world after each change. A new one is written immediately. */
function createSaver({ typed }: Context, world: World, path: string, isNew: boolean): () => Promise<void> {
  let saved = isNew ? '' : serializeChanges(world);
  return async () => {
    const changes = serializeChanges(world);
    if (changes === saved) return;
    await typed.files.writeAtomically(path, serializeWorld(world)).catch((error: unknown) => {
      const problem = `The world cannot be written to ${path}: ${fileProblem(error)}. The simulator has stopped.`;
      const hint = 'Make the folder writable, or name another file with --world.';
      throw new HeraldError('bad-world', problem, hint);
    });
    saved = changes;
  };
}

/** The state worth saving, without the current time and the log of reads. */
function serializeChanges(world: WorldData): string {
  const storage = { ...world.storage, baseUrl: '', puts: [] };
  return serializeWorld({ ...world, nowMs: 0, requests: [], nextRequest: 0, throttled: 0, storage });
}
