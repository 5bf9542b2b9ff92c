import { toHeraldError } from '../domain/herald-error.ts';
import type { LocalFile } from '../api/upload-file.ts';
import { formatCommand } from '../domain/command-line.ts';
import { nameAction } from '../domain/history-item.ts';
import { formatAddress } from '../domain/resource.ts';
import { readSecret, requireSecret } from '../domain/secret.ts';
import { cutText, shown, visible, visibleProse } from '../domain/visible.ts';
import type { RunEvent } from '../engine/run.ts';
import { formatBytes, formatDuration } from '../render/values.ts';
import { count } from '../render/wording.ts';
import type { Context, RunPorts, Surroundings } from './context.ts';
import { warningLine, readStack } from './findings.ts';
import { typedQuestion } from './question.ts';

/** What a run asks and tells on a command line: key, trust, and lines about its progress. */
export function makeRunPorts(around: Surroundings): RunPorts {
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
  if (!interactive || !(await confirm(typedQuestion(text, 'trust this address')))) return false;
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
      return output.fail(readStack(event.error));
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
