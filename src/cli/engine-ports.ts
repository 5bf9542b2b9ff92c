import { formatCommand } from '../domain/command-line.ts';
import { readSecret } from '../domain/secret.ts';
import { shown, visible, visibleProse } from '../domain/visible.ts';
import type { ConnectPorts } from '../library/connect.ts';
import type { WorkspacePorts } from '../library/open.ts';
import type { Context } from './context.ts';
import { readSecretFile } from './read-secret-file.ts';
import { runPorts } from './reporter.ts';
import { UploadProgress } from './upload-progress.ts';
import { warningLine } from './notice.ts';
import { typedQuestion } from './question.ts';
import { HeraldError } from '../domain/herald-error.ts';

/** Connects the library to a command: files, network, state, questions and progress lines. */
export function workspacePorts(context: Context): WorkspacePorts {
  return {
    ...connectPorts(context),
    ...runPorts(context),
    bytes: context.bytes,
    events: context.events,
    followUpload: followUploads(context),
  };
}

/** One progress line for all uploads of a run. */
function followUploads(context: Context): WorkspacePorts['followUpload'] {
  const board = new UploadProgress(context);
  return (file) => {
    const follow = board.follow(file);
    return {
      ...follow,
      onEnd: () => {
        follow.onEnd();
        board.clearWhenIdle();
      },
    };
  };
}

/** The same for a command that connects but does not plan. */
export function connectPorts(context: Context): ConnectPorts {
  const { clock, files, random, env, network, output, flags } = context;
  return {
    clock,
    files,
    random,
    env,
    ...(network === undefined ? {} : { network }),
    readKey: () => readKey(context),
    mayReceiveKey: (origin) => mayReceiveKey(context, origin),
    onWrite: () => context.onChange?.(),
    warn: (sentence) => output.say(warningLine('service-warning', visibleProse(sentence))),
    awaiting: (answer) => output.awaiting(answer),
    ...(flags.verbose ? { log: (line: string) => output.say(visible(line)) } : {}),
  };
}
/** True for an origin in the user's trust file, or one that the user accepts now. */
async function mayReceiveKey(context: Context, origin: string): Promise<boolean> {
  const { trusted, output, interactive, confirm } = context;
  if ((await trusted.list()).includes(origin)) return true;
  const text = shown`Send the API key to ${origin}? You have not trusted this address yet.`;
  const question = typedQuestion(text, 'trust this address');
  if (!interactive || !(await confirm(question))) return false;
  await trusted.replace([...(await trusted.list()), origin]);
  output.say(shown`Saved in ${trusted.path}. To undo: ${formatCommand('trust', '--remove', origin)}`);
  return true;
}

async function readKey(context: Context): Promise<string | undefined> {
  const { apiKeyFile } = context.flags;
  if (apiKeyFile === undefined) return readSecret(context.env, 'HERALD_API_KEY') ?? undefined;
  return readSecretFile(
    context,
    apiKeyFile,
    (why) => new HeraldError('no-api-key', `Cannot read the API key file ${apiKeyFile}: ${why}.`, null),
  );
}
