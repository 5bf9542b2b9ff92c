import { listAccounts } from '../api/pages.ts';
import type { AccountReply } from '../api/rows/accounts.ts';
import type { Context } from '../cli/context.ts';
import { defineCommand, itemResult } from '../cli/define-command.ts';
import { textFlag, word } from '../cli/flags.ts';
import { schemaFiles } from '../cli/schemas.ts';
import { formatCommand, formatPath } from '../domain/command-line.ts';
import { HeraldError } from '../domain/herald-error.ts';
import { joined, shown, type Visible, visibleLines } from '../domain/visible.ts';
import type { WorkspaceSettings } from '../domain/workspace.ts';
import { connect } from '../library/connect.ts';
import { count } from '../render/wording.ts';
import { Report } from '../workspace/findings.ts';
import { makeAccounts } from '../render/accounts-yaml.ts';
import ignored from '../workspace/samples/ignored.txt?text';
import realWorkspace from '../workspace/samples/service.yaml?text';
import sampleWorkspace from '../workspace/samples/herald.yaml?text';
import sampleBroadcast from '../workspace/samples/news.yaml?text';
import sampleCampaign from '../workspace/samples/welcome.yaml?text';
import { readWorkspace } from '../workspace/workspace.ts';

/** Late enough that the example can be applied, early enough to look real. */
const BROADCAST_DAYS_AHEAD = 14;
const DAY_MS = 86_400_000;

/** A repository may already have it. Its lines are printed instead. */
const GIT_FILE = '.gitignore';

/** For a real service, without samples and with the accounts that the key sees. Never overwrites a file. */
export const init = defineCommand({
  path: 'init',
  about: 'write an example workspace that uses the embedded simulator',
  examples: ['herald init my-agency', 'herald init my-agency --service https://api.example.com'],
  words: { directory: word('[DIR]') },
  directories: ({ directory }) => (directory === undefined ? [] : [directory]),
  flags: {
    service: textFlag(
      '--service <url>',
      'write one for the service at this address: without samples, with the accounts that the API key sees',
    ),
  },
  needs: 'nothing',
  run: async (context, { service }) => {
    const { files } = context;
    const day = new Date(context.clock.now() + BROADCAST_DAYS_AHEAD * DAY_MS).toISOString().slice(0, 10);
    const scaffold = (accounts: string) => [
      ...(service === undefined
        ? writeSamples(day)
        : [{ path: 'herald.yaml', text: fillWorkspace(service, accounts) }]),
      { path: GIT_FILE, text: ignored },
      ...schemaFiles(),
    ];
    const empty = scaffold('');
    const settings = service === undefined ? null : readService(context, service);
    const taken: string[] = [];
    for (const { path } of empty) if (await files.exists(path)) taken.push(path);
    if (taken.some((path) => path !== GIT_FILE))
      throw new HeraldError(
        'files-exist',
        `Nothing was written, because these files exist: ${taken.join(', ')}.`,
        `Use an empty directory, such as: ${formatCommand('init', 'my-agency')}`,
      );
    // A list that cannot be read ends the command before anything is written, so that it can be run again.
    const listed = settings === null ? null : await listVisible(context, settings);
    const accounts = makeAccounts(listed ?? []);
    const all = scaffold(accounts.text);
    const written = all.filter(({ path }) => !taken.includes(path));
    for (const { path, text } of written) await files.writeAtomically(path, text);
    for (const { path, text } of all)
      if (taken.includes(path))
        context.output.say(joined([shown`${path} was not changed. Add to it:`, ...visibleLines(text)], '\n'));
    const paths = written.map(({ path }) => path);
    return itemResult({ written: paths, left: taken, accounts: accounts.aliases }, [
      shown`Wrote:`,
      ...paths.map((path) => shown`  ${formatPath(path)}`),
      ...(listed === null ? [] : [shown`herald.yaml has ${count(accounts.aliases.length, 'account')}.`]),
      service === undefined ? nextInSimulator(context) : nextAtService(service, listed !== null),
    ]);
  },
});

/** A valid workspace that uses the embedded simulator, with a broadcast on a day, `YYYY-MM-DD`. */
function writeSamples(broadcastDayUtc: string) {
  return [
    { path: 'herald.yaml', text: sampleWorkspace },
    { path: 'campaigns/welcome.yaml', text: sampleCampaign },
    { path: 'broadcasts/news.yaml', text: sampleBroadcast.replace('DAY', broadcastDayUtc) },
  ];
}

/** For a real service, which must not get the samples. */
function fillWorkspace(service: string, accounts: string): string {
  const parts = { BASE_URL: JSON.stringify(service), ACCOUNTS: accounts };
  return realWorkspace.replace(/BASE_URL|ACCOUNTS/g, (part) => parts[part as keyof typeof parts]);
}

function nextInSimulator({ env }: Context): Visible {
  const commands = shown`${formatCommand('validate')}, ${formatCommand('plan')}, ${formatCommand('apply')}`;
  return (env['HERALD_BASE_URL'] ?? '') === ''
    ? shown`Next: ${commands}.\nherald.yaml names the embedded simulator, so nothing leaves this machine.`
    : shown`herald.yaml names the embedded simulator, but HERALD_BASE_URL overrides it: commands use the service of that variable.\nNext: unset HERALD_BASE_URL. Then: ${commands}.`;
}

function nextAtService(service: string, isListed: boolean): Visible {
  const [trust, list] = [formatCommand('trust', service), formatCommand('accounts', 'list')];
  const then = shown`${formatCommand('import')}, which writes files for what is live.`;
  if (isListed) return shown`Next: ${then}`;
  return shown`Next: set HERALD_API_KEY, run ${trust}, and add the accounts of ${list} to herald.yaml.\nThen: ${then}`;
}

/** An address that no command could use would be found later, in a file that is written. */
function readService({ env }: Context, service: string): WorkspaceSettings | null {
  const report = new Report();
  const text = fillWorkspace(service, makeAccounts([]).text);
  // The address is the one that was typed, also where a variable names another one for later commands.
  const draft = readWorkspace(text, { ...env, HERALD_BASE_URL: undefined }, report);
  const [problem] = report.sorted().filter(({ severity }) => severity === 'error');
  if (problem === undefined) return draft?.settings ?? null;
  throw new HeraldError(
    'bad-flag',
    `--service: ${problem.message} Nothing was written.`,
    `For example: ${formatCommand('init', '--service', 'https://api.example.com')}`,
  );
}

/** The accounts of the primary platform that the key sees; the others cannot be planned. Null without a key. */
async function listVisible(
  context: Context,
  settings: WorkspaceSettings,
): Promise<readonly AccountReply[] | null> {
  const key = await context.readKey();
  if (key === undefined || key.trim() === '') return null;
  const { client } = await connect({ ...context, readKey: async () => key }, settings);
  const listed = await listAccounts(client);
  return listed.filter(({ platform }) => platform == null || platform === settings.service.platforms.primary);
}
