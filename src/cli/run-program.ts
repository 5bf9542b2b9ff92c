import { CommanderError } from 'commander';
import type { LocalFile } from '../api/upload-file.ts';
import { chooseWorkspace, formatCommand } from '../domain/command-line.ts';
import { EXIT } from '../domain/exit-codes.ts';
import { HeraldError, toHeraldError } from '../domain/herald-error.ts';
import { nameAction } from '../domain/history-item.ts';
import { ReaderGoneError } from '../domain/ports.ts';
import { formatAddress } from '../domain/resource.ts';
import { readSecret, requireSecret } from '../domain/secret.ts';
import { cutText, harmless, shown, type Visible, visible, visibleProse } from '../domain/visible.ts';
import type { RunEvent } from '../engine/run.ts';
import type { Host } from '../host/host.ts';
import { renderJson } from '../render/json.ts';
import { formatBytes, formatDuration } from '../render/values.ts';
import { count } from '../render/wording.ts';
import type { Context, GlobalFlags, RunPorts, Surroundings } from './context.ts';
import { type AnyCommand, chooseFormat, printResult, REPORT_FORMATS } from './define-command.ts';
import { annotateFindings, drawFindings, readDetails, reportBug, warningLine } from './findings.ts';
import { type CommandIndex, createProgram, type Given } from './program.ts';

/** Reads the command line and runs its command. Loads the code of that command only. */
export async function runProgram(
  args: readonly string[],
  host: Host,
  wire: (flags: GlobalFlags) => Surroundings,
  index: CommandIndex,
): Promise<number> {
  let exitCode = 0;
  const words = expandHelp(args);
  const first = words[findCommandAt(words)];
  // All of them for help and for typos, so that suggestions work.
  const isKnown = index.commands.some(({ path }) => path.split(' ')[0] === first);
  const program = await createProgram(index, {
    isNamed: (word) => !isKnown || word === first,
    act: async (command, row, given) => {
      const flags = command.optsWithGlobals<GlobalFlags>();
      const chdir = [...flags.chdir, ...((await row.directories?.(given as never)) ?? [])];
      chooseWorkspace(chdir, flags.apiKeyFile);
      exitCode = await runCommand(row, wire({ ...flags, chdir }), given).finally(() => chooseWorkspace([]));
    },
    output: {
      writeOut: (text) => void host.stdout.write(text),
      writeErr: (text) => void host.stderr.write(text),
      outputError: (text, write) => write(usageText(text)),
    },
  });
  try {
    await program.parseAsync(words, { from: 'user' });
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    if (error.exitCode === 0) return 0;
    // The command line is invalid, but commander has read this before the rest.
    if (program.opts<{ readonly format?: string }>().format === 'json') {
      const message = error.code === 'commander.help' ? NO_COMMAND : error.message.replace(/^error: /, '');
      host.stdout.write(renderJson(describeError(new HeraldError('usage', message, 'See: herald --help'))));
    }
    return 1;
  }
  return exitCode;
}

/** Global flags that take their value from the next word. */
const TAKES_NEXT = /^(?:-\w*C|--chdir|--format|--api-key-file)$/;

/** Where the first word is that is neither an option nor its value. */
function findCommandAt(words: readonly string[]): number {
  return words.findIndex((word, at) => !word.startsWith('-') && !TAKES_NEXT.test(words[at - 1] ?? ''));
}

/** Turns `herald help chat send` into `herald chat send --help`, because commander's `help` takes one word. */
function expandHelp(words: readonly string[]): readonly string[] {
  const at = findCommandAt(words);
  const named = words.slice(at + 1);
  return words[at] === 'help' && named.length > 1 ? [...words.slice(0, at), ...named, '--help'] : words;
}

/** Commander shows its help here and has no message. */
const NO_COMMAND = 'Unknown or missing command.';

/** The suggestion that commander adds to its message. */
const SUGGESTION = /\n(?=\(Did you mean )/;

/** Commander repeats an argument unchanged, with its line breaks. */
function usageText(text: string): string {
  const lines = text.trimEnd().split(SUGGESTION).map(visible);
  return harmless(`${lines.join('\n')}\n`);
}

/** Runs a command and returns its exit code. What its result does not tell, because the state could not be closed, comes after it. */
async function runCommand(command: AnyCommand, around: Surroundings, given: Given): Promise<number> {
  const unclosed: HeraldError[] = [];
  const ports = makeRunPorts(around);
  const report: Context['report'] = (event) =>
    event.kind === 'unclosed' ? void unclosed.push(event.error) : ports.report(event);
  const exit = await runAndPrint(command, { ...around, ...ports, report }, given);
  for (const { message, hint } of unclosed)
    around.output.fail(
      warningLine(
        'not-on-record',
        shown`The state could not be closed, so it may still be locked, or miss this run: ${visibleProse(message)} ${visibleProse(hint ?? '')}`,
      ),
    );
  return exit === EXIT.done && unclosed.length > 0 ? EXIT.partly : exit;
}

/**
 * Prints the result, or the error, in the chosen format. JSON is one document, so an error after a result goes to stderr in words. Any
 * other error is a bug, and its stack goes to stderr.
 */
async function runAndPrint(command: AnyCommand, outer: Context, given: Given): Promise<number> {
  let isPrinted = false;
  const result = (text: Visible) => {
    isPrinted = true;
    outer.output.result(text);
  };
  const context = { ...outer, output: { ...outer.output, result } };
  try {
    const format = chooseFormat(context, command.formats ?? REPORT_FORMATS);
    const run = (opened: unknown) => command.run(context, { ...given, format } as never, opened as never);
    // Loaded only for a command that needs something.
    const ended = await (command.needs === 'nothing'
      ? run(null)
      : (await import('./open-needs.ts')).openFor(command.needs, context, run));
    if (typeof ended === 'number') return ended;
    await printResult(context, format, ended);
    return ended.exit ?? EXIT.done;
  } catch (error) {
    // A reader that closes the pipe, as `| head` does, has all that it wanted.
    if (error instanceof ReaderGoneError) return EXIT.done;
    const failure = toHeraldError(error) ?? reportBug(context, error);
    context.output.progress('');
    await annotateFindings(context, readDetails(failure).diagnostics);
    if (context.flags.format === 'json' && !isPrinted)
      context.output.result(renderJson(describeError(failure)));
    else await reportText(context, failure);
    return failure.exit;
  }
}

/** `herald/error/1`. */
function describeError({ code, message, hint, details }: HeraldError): unknown {
  return { schema: 'herald/error/1', code, message, hint, details };
}

async function reportText(context: Context, failure: HeraldError): Promise<void> {
  const { message, hint } = failure;
  const { diagnostics, facts } = readDetails(failure);
  if (diagnostics.length > 0) context.output.fail(await drawFindings(context, diagnostics));
  const { formatTimesIn } = await import('../render/values.ts');
  // The service or a gateway may have written parts of it, so control characters are escaped.
  context.output.fail(shown`error: ${visibleProse(formatTimesIn(message, null))}`);
  for (const fact of facts) context.output.fail(shown`  ${visibleProse(fact)}`);
  if (hint !== null) context.output.fail(visibleProse(hint));
}

/** What a run asks and tells on a command line: key, trust, and lines about its progress. */
function makeRunPorts(around: Surroundings): RunPorts {
  const { output, flags } = around;
  return {
    lockTimeoutMs: chooseLockTimeout(around),
    readKey: async () => {
      if (flags.apiKeyFile !== undefined) return readSecretFile(around, flags.apiKeyFile);
      return readSecret(around.env, 'HERALD_API_KEY') ?? undefined;
    },
    mayReceiveKey: (origin) => mayReceiveKey(around, origin),
    ...(flags.verbose ? { log: (line: string) => output.say(visible(line)) } : {}),
    report: (event) => report(output, event),
    followUpload: followUploads(around),
  };
}

/** True for an origin in the user's trust file, or one that the user accepts now. */
async function mayReceiveKey(
  { trusted, output, interactive, confirm }: Surroundings,
  origin: string,
): Promise<boolean> {
  if ((await trusted.list()).includes(origin)) return true;
  const text = shown`Send the API key to ${origin}? You have not trusted this address yet.`;
  const question = { text, prompt: shown`Type yes to trust this address: `, wanted: 'yes' };
  if (!interactive || !(await confirm(question))) return false;
  await trusted.replace([...(await trusted.list()), origin]);
  output.say(shown`Saved in ${trusted.path}. To undo: ${formatCommand('trust', '--remove', origin)}`);
  return true;
}

/** The secret in a file that was typed. It is kept out of all output. Throws if the file is empty or cannot be read. */
export async function readSecretFile(
  { typed, output }: Pick<Surroundings, 'typed' | 'output'>,
  path: string,
): Promise<string> {
  const secret = requireSecret(await typed.files.readText(path), `The file ${path}`);
  output.hide(secret);
  return secret;
}

function report(output: Context['output'], event: RunEvent): void {
  switch (event.kind) {
    case 'reading':
      return output.progress(shown`reading lists ${event.done}/${event.total}`);
    case 'applying': {
      const { action, address } = event.change;
      return output.progress(
        shown`applying ${event.done}/${event.total}  ${action} ${visible(formatAddress(address))}`,
      );
    }
    case 'waiting-for-lease': {
      // This line stays, because a log has no progress line.
      const left = formatDuration(Math.ceil(event.timeoutMs / 1000));
      output.say(
        shown`Another herald run is active: ${visibleProse(event.holder)}. Waiting up to ${left} for it to finish.`,
      );
      return output.progress(shown`waiting for another herald run`);
    }
    case 'settling':
      return reportWait(output, event);
    case 'stopped-early': {
      const { change, liveId, outcome } = event.result;
      const what = `${change.action} ${formatAddress(change.address)} (${liveId ?? '-'})`;
      return output.say(shown`Sent while waiting: ${visible(what)}: ${outcome}`);
    }
    case 'settled': {
      const { request, liveId } = event;
      const id = liveId === null ? '' : ` (${liveId})`;
      const what = `${nameAction(request)} ${formatAddress(request)}${id}`;
      return output.say(
        shown`From an earlier run: ${visible(what)} ${event.tookEffect ? 'took effect' : 'shows no effect'}.`,
      );
    }
    case 'idle':
      return output.progress('');
    case 'unverified': {
      const why = toHeraldError(event.error)?.message ?? event.error.message;
      const what = visibleProse(why.replace(/\.?$/, '.'));
      return output.say(
        warningLine(
          'not-verified',
          shown`The result could not be verified: ${what} Run ${formatCommand('plan')} later.`,
        ),
      );
    }
    case 'unclosed':
      // The frame tells it after the result.
      return;
    case 'bug':
      return void reportBug({ output }, event.error);
  }
}

/** Without a terminal, a silent minute looks like a hang, so the first wait has a line of its own. */
function reportWait(
  output: Context['output'],
  { requests, canStop, leftMs, isFirst }: Extract<RunEvent, { readonly kind: 'settling' }>,
): void {
  const what =
    requests === 0
      ? shown`The state is new, or was imported, unlocked or lost, so it may not know what an earlier run sent.`
      : shown`${count(requests, 'request was', 'requests were')} not confirmed.`;
  const left = Math.ceil(leftMs / 1000);
  const stops = canStop
    ? shown` To stop something meanwhile: ${formatCommand('campaigns', 'pause', 'ACCOUNT/campaign/NAME')}, or ${formatCommand('broadcasts', 'pause', 'ACCOUNT/broadcast/NAME')}`
    : '';
  if (isFirst)
    output.say(
      shown`${what} Waiting up to ${left} s to see the result; nothing is sent again before that.${stops}`,
    );
  const awaited = requests === 0 ? 'requests of earlier runs' : count(requests, 'unconfirmed request');
  output.progress(shown`waiting for ${awaited}: ${left} s left`);
}

/** On a terminal a person sees the wait and can end it. */
const TERMINAL_TIMEOUT_MS = 600_000;

/** How long this command waits for the lease: as `--lock-timeout` says; a job of CI must not hang by default. */
function chooseLockTimeout({ flags, interactive, env }: Surroundings): number {
  const isCi = !['', '0', 'false'].includes(env['CI'] ?? '');
  return flags.lockTimeout ?? (interactive && !isCi ? TERMINAL_TIMEOUT_MS : 0);
}

interface Upload {
  readonly file: LocalFile;
  sent: number;
  phase: string;
  ended: boolean;
}

const REDRAW_MS = 100;
/** Not columns, which take a library that each start of Herald would load. The line itself is cut to the terminal. */
const NAME_CHARACTERS = 24;

/** As one line, cleared with the last: `1 of 3 files, 62% of 1.2 GiB · hello.mp4 uploading`. */
function followUploads({ clock, output }: Surroundings): RunPorts['followUpload'] {
  const uploads: Upload[] = [];
  let drawnMs = Number.NEGATIVE_INFINITY;
  const draw = (isNews: boolean): void => {
    const nowMs = clock.monotonicMs();
    if (!isNews && nowMs - drawnMs < REDRAW_MS) return;
    drawnMs = nowMs;
    const ended = uploads.filter((upload) => upload.ended).length;
    if (ended === uploads.length) return output.progress('');
    const total = uploads.reduce((sum, { file }) => sum + file.size, 0);
    const sent = uploads.reduce((sum, upload) => sum + (upload.ended ? upload.file.size : upload.sent), 0);
    // Rounded down, so that 100 % means complete.
    const share = total === 0 ? 100 : Math.floor((100 * sent) / total);
    const words = `${ended} of ${uploads.length} files, ${share}% of ${formatBytes(total)}`;
    const each = uploads
      .filter((upload) => !upload.ended && upload.phase !== '')
      .map(({ file, phase }) => `${cutText(visible(file.name), NAME_CHARACTERS)} ${phase}`);
    output.progress(visible([words, ...each].join(' · ')));
  };
  return (file) => {
    const upload: Upload = { file, sent: 0, phase: '', ended: false };
    uploads.push(upload);
    const change = (news: Partial<Upload>): void => {
      Object.assign(upload, news);
      draw(news.sent === undefined);
    };
    return {
      onBytes: (sent) => change({ sent }),
      onPhase: (phase) => change({ phase }),
      onWarning: (sentence) => output.say(visibleProse(sentence)),
      onEnd: () => change({ ended: true }),
    };
  };
}
