import type { Context } from '../../cli/context.ts';
import { defineCommand } from '../../cli/define-command.ts';
import { readSecretFile } from '../../cli/run-program.ts';
import { choiceFlag, textFlag, type ValuesOf, wholeNumberFlag } from '../../cli/flags.ts';
import { serveUntilInterrupted } from '../../cli/serve.ts';
import { HeraldError } from '../../domain/herald-error.ts';
import type { Clock } from '../../domain/ports.ts';
import { readSecret } from '../../domain/secret.ts';
import { shown, visible, visibleProse } from '../../domain/visible.ts';
import { createEvent } from '../../events/event.ts';
import {
  EVENTS_PATH,
  HEALTH_PATH,
  SIGNATURE_ALGORITHMS,
  SIGNATURE_FORMATS,
  Receiver,
  type ReceiverProblem,
  type SignatureCheck,
} from '../../events/receiver.ts';
import { loadSettings } from '../../workspace/load.ts';
import { reconcileWorkspace } from './reconcile.ts';

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
};

const flags = {
  host: textFlag('--host <address>', 'address to listen on', '127.0.0.1'),
  port: wholeNumberFlag(
    '--port <number>',
    'port to listen on; 0 takes a free one (default: 8090)',
    [0, 65_535],
  ),
  pathSecretFile: textFlag(
    '--path-secret-file <file>',
    'file with the last part of the address (default: the variable HERALD_EVENTS_PATH_SECRET)',
  ),
  signatureHeader: textFlag('--signature-header <name>', 'check this header with HERALD_EVENTS_SECRET'),
  signatureFormat: choiceFlag(
    '--signature-format <name>',
    'format of the signature',
    SIGNATURE_FORMATS,
    'hex',
  ),
  signatureAlgorithm: choiceFlag(
    '--signature-algorithm <name>',
    'algorithm of the signature',
    SIGNATURE_ALGORITHMS,
    'sha256',
  ),
  reconcileEvery: wholeNumberFlag(
    '--reconcile-every <minutes>',
    'how often to compare the lists; 0 turns it off (default: 10)',
    [0, 1440],
  ),
};

export const listen = defineCommand({
  path: 'events listen',
  about: 'store the events that the service sends, until you interrupt it',
  examples: [
    'herald events listen',
    'herald events listen --signature-header x-svc-signature --signature-format base64',
    'herald events listen --host 0.0.0.0',
  ],
  flags,
  needs: 'nothing',
  run: async (context, given) => {
    const { clock, events } = context;
    const { host, port = 8090, reconcileEvery = 10 } = given;
    const pathSecret = await readPathSecret(context, given.pathSecretFile);
    const signature = readSignature(context, given);
    await events.check();
    let isHealthy = true;
    const checkHealth = async () => {
      const wasStored = events.check().then(() => true);
      isHealthy = await wasStored.catch(() => false);
    };
    const work = [
      repeat(clock, CHECK_EVERY_MS, checkHealth),
      repeat(clock, reconcileEvery * MINUTE_MS, reconcileAgain(context)),
      repeat(clock, HOUR_MS, () => dropOld(context)),
    ];
    const start = async () => {
      const receiver = await Receiver.start({
        host,
        port,
        pathSecret,
        signature,
        // Nothing else is done before the answer.
        store: (body) => events.add(createEvent(body, clock.now())),
        isHealthy: () => isHealthy,
        report: reportRarely(context),
      });
      const { origin } = receiver;
      const item = { url: `${origin}${EVENTS_PATH}${pathSecret}`, health_url: `${origin}${HEALTH_PATH}` };
      const text = [
        visible(item.url),
        shown`Health: ${item.health_url}, 200 while events can be stored.`,
        shown`The last part of the address is the path secret, which Herald never prints.`,
        shown`Enter this address in the settings of the service. Stop it with Ctrl-C.`,
      ];
      return { item, text, tick: () => work.forEach((one) => one()), close: () => receiver.stop() };
    };
    return serveUntilInterrupted(context, given.format, { host, port, start }, INTERRUPTS);
  },
});

const MAKE_ONE =
  'Make one with: openssl rand -hex 24. Then set HERALD_EVENTS_PATH_SECRET to it, or use --path-secret-file FILE.';

/** The secret in the path, from a file or the environment. An option with the secret would be in the list of processes. */
async function readPathSecret(context: Context, file: string | undefined): Promise<string> {
  const secret =
    file === undefined
      ? readSecret(context.env, 'HERALD_EVENTS_PATH_SECRET')
      : await readSecretFile(context, file);
  if (secret === null) throw new HeraldError('bad-flag', 'No path secret.', MAKE_ONE);
  const text = secret.trim();
  if (/^[\w-]{16,128}$/.test(text)) return text;
  const rule = 'The path secret must have 16 to 128 letters, digits, "_" or "-".';
  throw new HeraldError('bad-flag', rule, MAKE_ONE);
}

/** How a signature is checked. Its secret comes from the environment only. */
function readSignature(
  { env }: Context,
  { signatureHeader: header, signatureFormat: format, signatureAlgorithm: algorithm }: ValuesOf<typeof flags>,
): SignatureCheck | null {
  const secret = readSecret(env, 'HERALD_EVENTS_SECRET');
  if (secret === null && header === undefined) return null;
  if (secret !== null && header !== undefined)
    return { header: header.toLowerCase(), format, algorithm, secret };
  throw new HeraldError(
    'bad-flag',
    'A signature is checked with --signature-header and HERALD_EVENTS_SECRET, and one of them is missing.',
    'Set HERALD_EVENTS_SECRET to the secret of the entry and name the header, or use neither.',
  );
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
      const { added, text } = await reconcileWorkspace(context, sinceMs);
      if (added > 0) context.output.say(text);
      sinceMs = nowMs - OVERLAP_MS;
    } catch (error) {
      const why = visibleProse((error as Error).message);
      context.output.say(shown`The lists could not be compared with the events: ${why}`);
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
