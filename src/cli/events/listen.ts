import { formatCommand } from '../../domain/command-line.ts';
import type { Clock } from '../../domain/ports.ts';
import { joined, shown, visible, visibleProse, type Visible } from '../../domain/visible.ts';
import { createEvent } from '../../events/event.ts';
import { EVENTS_PATH, HEALTH_PATH, startReceiver, type ReceiverProblem } from '../../events/receiver.ts';
import { renderJson } from '../../render/json.ts';
import { loadSettings } from '../../workspace/load.ts';
import type { Context } from '../context.ts';
import { EXIT } from '../../domain/exit-codes.ts';
import { refusePort } from '../port-in-use.ts';
import { chooseFormat, REPORT_FORMATS } from '../formats.ts';
import { pathSecretOf, signatureOf, type ListenFlags } from './listen-options.ts';
import { explainAdded, reconcileWorkspace } from './reconcile.ts';

const TICK_MS = 1_000;
const MINUTE_MS = 60_000;
const HOUR_MS = 3_600_000;
const DAY_MS = 86_400_000;
/** How often the store is tried, for `/healthz`. */
const CHECK_EVERY_MS = 5_000;
/** What happened before the receiver started is compared with the lists, as far back as this. */
const FIRST_RANGE_MS = 2 * DAY_MS;
/** Lists show some rows late, so each range is read again for a while. */
const OVERLAP_MS = 15 * MINUTE_MS;

const INTERRUPTS = { first: 'Stopping. Finishing what is under way.', second: 'Stopped immediately.' };

const PROBLEMS: Readonly<Record<ReceiverProblem, string>> = {
  not_stored: 'Events cannot be stored. The sender gets 503, and /healthz says so. Is the disk full?',
  wrong_signature: 'Signatures are wrong. Check HERALD_EVENTS_SECRET and the --signature flags.',
  wrong_path: 'Requests come with a wrong secret in the path.',
  wrong_method: 'Requests come with another method than POST.',
  too_large: 'Bodies are larger than 1 MiB, and were refused.',
  cut_off: 'Senders were too slow, or left before the end of their request.',
  overload: 'There are too many connections at once, and some were refused.',
};

/** `herald events listen`: stores the events that the service sends, until it is interrupted. */
export async function eventsListenCommand(context: Context, flags: ListenFlags): Promise<number> {
  const format = chooseFormat(context, REPORT_FORMATS);
  const { clock, events, interrupted, output } = context;
  const { host, port } = flags;
  const pathSecret = await pathSecretOf(context, flags);
  const signature = signatureOf(context, flags);
  await events.check();
  await context.keepHeapSmall?.();
  let isHealthy = true;
  const work = [
    repeat(clock, CHECK_EVERY_MS, async () => {
      isHealthy = await events.check().then(
        () => true,
        () => false,
      );
    }),
    repeat(clock, flags.reconcileEvery * MINUTE_MS, reconcileAgain(context)),
    repeat(clock, HOUR_MS, () => dropOld(context)),
  ];
  await context.protect(async () => {
    const receiver = await startReceiver({
      host,
      port,
      pathSecret,
      signature,
      clock,
      // Nothing else is done before the answer.
      store: (body) => events.add(createEvent(body, clock.now())),
      isHealthy: () => isHealthy,
      report: reportRarely(context),
    }).catch((error: unknown) => refusePort(error, host, port, '--port'));
    try {
      const { origin } = receiver;
      const item = { url: `${origin}${EVENTS_PATH}${pathSecret}`, health_url: `${origin}${HEALTH_PATH}` };
      output.result(format === 'json' ? renderJson({ schema: 'herald/item/1', item }) : describePlaces(item));
      while (!interrupted.aborted) {
        await clock.sleep(TICK_MS, interrupted).catch(() => undefined);
        for (const tick of work) tick();
      }
    } finally {
      await receiver.stop();
    }
  }, INTERRUPTS);
  return EXIT.done;
}

/** Starts the work when it is due, and never twice at the same time. With 0, it is never due. */
function repeat(clock: Clock, everyMs: number, work: () => Promise<void>): () => void {
  let [dueMs, isRunning] = [Number.NEGATIVE_INFINITY, false];
  return () => {
    const nowMs = clock.monotonicMs();
    if (everyMs === 0 || isRunning || nowMs < dueMs) return;
    [dueMs, isRunning] = [nowMs + everyMs, true];
    void work().finally(() => (isRunning = false));
  };
}

/** Compares the lists with the events. A list that cannot be read is read the next time, from the same place. */
function reconcileAgain(context: Context): () => Promise<void> {
  let sinceMs = context.clock.now() - FIRST_RANGE_MS;
  return async () => {
    const nowMs = context.clock.now();
    try {
      const added = await reconcileWorkspace(context, sinceMs);
      if (added.length > 0) context.output.say(explainAdded(sinceMs, added));
      sinceMs = nowMs - OVERLAP_MS;
    } catch (error) {
      context.output.say(
        shown`The lists could not be compared with the events: ${visibleProse((error as Error).message)}`,
      );
    }
  };
}

/** Removes events that are older than `events.keep`. A file with errors removes nothing. */
async function dropOld({ clock, env, events, files, output }: Context): Promise<void> {
  const loaded = await loadSettings(files, { env, mayLackFile: true });
  if (loaded.kind === 'invalid') return;
  const before = clock.now() - loaded.settings.eventsKeepDays * DAY_MS;
  try {
    await events.dropBefore(new Date(before).toISOString());
  } catch (error) {
    output.say(shown`Old events cannot be removed: ${visibleProse((error as Error).message)}`);
  }
}

/** Tells an operator of each kind of problem at most once a minute. */
function reportRarely({ clock, output }: Context): (problem: ReceiverProblem) => void {
  const reportedMs = new Map<ReceiverProblem, number>();
  return (problem) => {
    const nowMs = clock.monotonicMs();
    if (nowMs - (reportedMs.get(problem) ?? Number.NEGATIVE_INFINITY) < MINUTE_MS) return;
    reportedMs.set(problem, nowMs);
    output.say(visible(PROBLEMS[problem]));
  };
}

function describePlaces(item: { readonly url: string; readonly health_url: string }): Visible {
  return joined(
    [
      visible(item.url),
      shown`Health: ${item.health_url}, 200 while events can be stored.`,
      visible('The last part of the address is the path secret, which Herald never prints.'),
      shown`What to enter in the service: ${formatCommand('events', 'register', 'URL')}. Stop it with Ctrl-C.`,
    ],
    '\n',
  );
}
