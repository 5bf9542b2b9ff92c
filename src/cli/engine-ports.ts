import { formatCommand } from '../domain/command-line.ts';
import type { Urgency } from '../domain/rate-store.ts';
import { readSecret } from '../domain/secret.ts';
import { shown, visible, visibleProse } from '../domain/visible.ts';
import type { ConnectPorts } from '../library/connect.ts';
import type { WorkspacePorts } from '../library/open.ts';
import type { Context } from './context.ts';
import { readSecretFile } from './read-secret-file.ts';
import { CommandError } from './failure.ts';
import { reconcilePorts } from './reporter.ts';
import { warnUnreadableLedger } from './vault/unreadable-ledger.ts';
import { warningLine } from './notice.ts';
import { typedQuestion } from './question.ts';

/** Connects the library to a command: files, network, questions and progress lines. */
export function workspacePorts(context: Context, urgency: Urgency): WorkspacePorts {
  return {
    ...connectPorts(context, urgency),
    ...reconcilePorts(context),
    bytes: context.bytes,
    events: context.events,
    // Loaded with the first upload: most runs have none.
    openBoard: async () => new (await import('./vault/upload-progress.ts')).UploadProgress(context),
    onLedgerRead: (known) => warnUnreadableLedger(context, known),
  };
}

/** The same for a command that connects but does not plan. */
export function connectPorts(context: Context, urgency: Urgency): ConnectPorts {
  const { clock, files, random, env, network, output, flags, state } = context;
  return {
    clock,
    files,
    random,
    env,
    ...(network === undefined ? {} : { network }),
    rateStore: state.rates,
    urgency: () => urgency,
    onRatesNotShared: (reason) =>
      output.say(
        warningLine(
          'rates-not-shared',
          shown`Requests go on at a quarter of rate_share, because Herald cannot ask the other processes of this key: ${visibleProse(reason)}`,
        ),
      ),
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
  const text = shown`Send the API key to ${origin}? The address comes from herald.yaml, and you have not trusted it yet.`;
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
    (why) => new CommandError('no-api-key', `Cannot read the API key file ${apiKeyFile}: ${why}.`, null),
  );
}
