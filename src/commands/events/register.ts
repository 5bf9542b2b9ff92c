import { defineCommand, listResult } from '../../cli/define-command.ts';
import { textsFlag, words } from '../../cli/flags.ts';
import { HeraldError } from '../../domain/herald-error.ts';
import { shown } from '../../domain/visible.ts';

/** The limits of an organisation (EVENT-4). */
const URLS_MAX = 100;
const PER_ACCOUNT_MAX = 2;
const IDENTICAL_MAX = 2;

/** The kinds that the document names (EVENT-1). */
const KINDS = [
  'vault.media_upload.created',
  'vault.media_upload.updated',
  'fans.tip.received',
  'fans.subscription.new_subscriber',
  'fans.ppv.purchased',
  'firewall.message_guard.violation',
];

/**
 * Prints what to enter in the settings of the service, which has no endpoint for it. The addresses are all those of the
 * organisation, so that its limits can be checked.
 */
export const register = defineCommand({
  path: 'events register',
  about: 'print what to enter in the settings of the service, and check its limits',
  examples: ['herald events register https://events.example/events/SECRET'],
  more: 'Give all addresses of the organisation, so that its limits can be checked.',
  words: { urls: words('URL') },
  flags: {
    account: textsFlag('--account <account>', 'limit the entry to this account (repeatable)'),
    kind: textsFlag(
      '--kind <kind>',
      'limit the entry to this kind (repeatable; default: all documented kinds)',
    ),
  },
  needs: 'nothing',
  run: ({ output }, { urls, account, kind }) => {
    refuseProblems(urls, account);
    for (const one of kind)
      if (!KINDS.some((known) => one === known || one.startsWith(`${known}.`)))
        output.say(shown`The document of the service does not name the kind ${one}.`);
    const items = urls.map((url) => ({
      url,
      accounts: account.length === 0 ? null : account,
      events: kind.length === 0 ? KINDS : kind,
    }));
    return listResult(
      items,
      items.flatMap(({ url, accounts, events }) => [
        shown`URL:      ${url}`,
        shown`Accounts: ${accounts === null ? 'all' : accounts.join(', ')}`,
        shown`Events:   ${events.join(', ')}`,
      ]),
    );
  },
});

/** An entry without accounts is not counted for any of them. */
function refuseProblems(urls: readonly string[], accounts: readonly string[]): void {
  const isAddress = (url: string) => URL.canParse(url) && /^https?:$/.test(new URL(url).protocol);
  const problems = urls.filter((url) => !isAddress(url)).map((url) => `${url} is not an address.`);
  const repeated = urls.find((url) => urls.filter((other) => other === url).length > IDENTICAL_MAX);
  if (urls.length > URLS_MAX)
    problems.push(`An organisation can have ${URLS_MAX} addresses, and there are ${urls.length}.`);
  if (repeated !== undefined) {
    const times = urls.filter((url) => url === repeated).length;
    problems.push(`${repeated} is there ${times} times; ${IDENTICAL_MAX} may be the same.`);
  }
  if (accounts.length > 0 && urls.length > PER_ACCOUNT_MAX)
    problems.push(`An account can have ${PER_ACCOUNT_MAX} addresses, and there are ${urls.length}.`);
  if (problems.length === 0) return;
  const hint = 'Remove addresses, and run the command again.';
  throw new HeraldError('bad-flag', problems.join(' '), hint, { details: { problems } });
}
