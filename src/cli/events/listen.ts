import { formatCommand } from '../../domain/command-line.ts';
import { joined, shown, visible, type Visible } from '../../domain/visible.ts';
import { Counters, type Counted } from '../../events/counters.ts';
import { startHealth } from '../../events/health.ts';
import { createNote, type NoteKind } from '../../events/notes.ts';
import { receivedEvent } from '../../events/received.ts';
import { startReceiver, type ReceiverOptions } from '../../events/receiver.ts';
import { renderJson } from '../../render/json.ts';
import type { Context } from '../context.ts';
import { EXIT } from '../../domain/exit-codes.ts';
import { refusePort } from '../port-in-use.ts';
import { chooseFormat, REPORT_FORMATS } from '../formats.ts';
import { pathSecretOf, pointersOf, signatureOf, sourcesOf, type ListenFlags } from './listen-options.ts';
import { Learning } from './learning.ts';
import { Reconciling } from './reconciling.ts';
import { dropOld, learnAccounts, openWorkspaces, workspaceOf, type EventWorkspace } from './workspaces.ts';

const TICK_MS = 1_000;
/** A receiver notes that it listens, so that a later reading can separate a quiet hour from one in which it was down. */
const NOTE_EVERY_MS = 60_000;
/** After a failed write, the store is tried again. */
const PROBE_EVERY_MS = 5_000;

/** How often events that are too old are looked for. */
const DROP_EVERY_MS = 3_600_000;

const INTERRUPTS = { first: 'Stopping. Finishing what is under way.', second: 'Stopped immediately.' };

/** `herald events listen`: stores the events that the service sends, until it is interrupted. */
export async function eventsListenCommand(context: Context, flags: ListenFlags): Promise<number> {
  const format = chooseFormat(context, REPORT_FORMATS);
  const options = {
    host: flags.host,
    port: flags.port,
    pathSecret: await pathSecretOf(context, flags),
    signature: signatureOf(context, flags),
    sources: sourcesOf(flags),
    isBehindProxy: flags.behindProxy === true,
  };
  const pointers = pointersOf(flags);
  const workspaces = await openWorkspaces(context, flags.workspace);
  await context.keepHeapSmall?.();
  try {
    const counters = new Counters(() => context.clock.monotonicMs(), complaintsOf(context));
    const store = storeOf(context, workspaces, counters, pointers);
    await context.protect(
      () => serve(context, { ...options, counters, store }, { workspaces, flags, format }),
      INTERRUPTS,
    );
  } finally {
    for (const { writer } of workspaces) await writer.close();
  }
  return EXIT.done;
}

/** Stores a body, and does nothing else before the answer. */
function storeOf(
  { clock }: Context,
  workspaces: readonly EventWorkspace[],
  counters: Counters,
  pointers: ReturnType<typeof pointersOf>,
): ReceiverOptions['store'] {
  return async (body) => {
    const event = receivedEvent(body, clock.now(), pointers);
    const { workspace, isKnown } = workspaceOf(workspaces, event);
    const isNew = await workspace?.writer.add(event);
    counters.count(isNew === true ? 'stored' : 'repeated');
    if (event.kind === null) counters.count('unknown_kind');
    if (!isKnown) counters.complain('unknown_account');
  };
}

interface Serving {
  readonly workspaces: readonly EventWorkspace[];
  readonly flags: ListenFlags;
  readonly format: 'text' | 'json';
}

async function serve(
  context: Context,
  options: Omit<ReceiverOptions, 'clock'>,
  { workspaces, flags, format }: Serving,
): Promise<void> {
  const { clock, interrupted } = context;
  const problem = () =>
    workspaces.map(({ writer }) => writer.problem).find((found) => found !== null) ?? null;
  const health = await startHealth(flags.healthPort, {
    problem: () => (problem() === null ? null : wordsOf(problem())),
    counts: options.counters.counts,
  }).catch((error: unknown) => refusePort(error, '127.0.0.1', flags.healthPort, '--health-port'));
  try {
    const receiver = await startReceiver({ ...options, clock }).catch((error: unknown) =>
      refusePort(error, flags.host, flags.port, '--port'),
    );
    try {
      await note(context, workspaces, 'herald.started');
      const item = { url: receiver.url, health_url: health.url };
      context.output.result(format === 'json' ? renderJson({ schema: 'herald/item/1', item }) : places(item));
      const learning = workspaces.map(
        (workspace) => new Learning(clock, (isFirst) => learnAccounts(workspace, isFirst)),
      );
      const comparing = workspaces.map(
        (workspace) => new Reconciling(context, workspace, flags.reconcileEvery),
      );
      let droppedMs = Number.NEGATIVE_INFINITY;
      let notedMs = clock.monotonicMs();
      while (!interrupted.aborted) {
        await clock.sleep(TICK_MS, interrupted).catch(() => undefined);
        for (const one of [...learning, ...comparing]) one.tick();
        if (clock.monotonicMs() - droppedMs >= DROP_EVERY_MS) {
          droppedMs = clock.monotonicMs();
          for (const workspace of workspaces) await dropOld(workspace);
        }
        const dueMs = problem() === null ? NOTE_EVERY_MS : PROBE_EVERY_MS;
        if (clock.monotonicMs() - notedMs < dueMs) continue;
        notedMs = clock.monotonicMs();
        await note(context, workspaces, 'herald.listening');
      }
    } finally {
      await receiver.stop();
      await note(context, workspaces, 'herald.stopped');
    }
  } finally {
    await health.stop();
  }
}

/** A note that cannot be stored is seen by the readiness. */
async function note(
  { clock, identity }: Context,
  workspaces: readonly EventWorkspace[],
  kind: NoteKind,
): Promise<void> {
  for (const { writer } of workspaces)
    await writer.add(createNote(kind, identity.run, clock.now())).catch(() => undefined);
}

function places(item: { readonly url: string; readonly health_url: string }): Visible {
  return joined(
    [
      visible(item.url),
      shown`Health: ${item.health_url}/healthz and /readyz, on this machine only.`,
      visible('The last part of the address is the path secret, which Herald never prints.'),
      shown`What to enter in the service: ${formatCommand('events', 'register', 'URL')}. Stop it with Ctrl-C.`,
    ],
    '\n',
  );
}

const COMPLAINTS: Readonly<Partial<Record<Counted, string>>> = {
  not_stored: 'Events cannot be stored. The sender gets 503, and /readyz says so. Is the disk full?',
  wrong_signature: 'Signatures are wrong. Check HERALD_EVENTS_SECRET and the --signature flags.',
  wrong_source: 'Events come from addresses that --source does not allow.',
  wrong_path: 'Requests come with a wrong secret in the path.',
  too_large: 'Bodies are larger than 1 MiB, and were refused.',
  cut_off: 'Senders were too slow, or left before the end of their request.',
  overload: 'There are too many connections or bodies at once, and some were refused.',
  unknown_account: 'Events are about accounts that are not in the workspace. They were stored.',
};

function complaintsOf({ output }: Context): (what: Counted, count: number) => void {
  return (what, count) => {
    const words = COMPLAINTS[what];
    if (words !== undefined) output.say(shown`${words} (${what}: ${count} since the start)`);
  };
}

function wordsOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
