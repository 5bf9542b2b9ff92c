import { joined, shown } from '../../domain/visible.ts';
import { renderJson } from '../../render/json.ts';
import type { Context } from '../context.ts';
import { EXIT } from '../../domain/exit-codes.ts';
import { chooseFormat, REPORT_FORMATS } from '../formats.ts';
import { HeraldError } from '../../domain/herald-error.ts';

export interface RegisterFlags {
  readonly account: readonly string[];
  readonly kind: readonly string[];
}

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
 * `herald events register URL…`: prints what to enter in the settings of the service, which has no endpoint for it. The
 * addresses are all those of the organisation, so that its limits can be checked.
 */
export function eventsRegisterCommand(
  context: Context,
  urls: readonly string[],
  { account, kind }: RegisterFlags,
): number {
  const format = chooseFormat(context, REPORT_FORMATS);
  const problems = problemsOf(urls, account);
  if (problems.length > 0)
    throw new HeraldError('bad-flag', problems.join(' '), 'Remove addresses, and run the command again.', {
      details: {
        problems,
      },
    });
  const entries = urls.map((url) => ({
    url,
    accounts: account.length === 0 ? null : account,
    events: kind.length === 0 ? KINDS : kind,
  }));
  const unknown = kind.filter((one) => !KINDS.some((known) => one === known || one.startsWith(`${known}.`)));
  for (const one of unknown)
    context.output.say(shown`The document of the service does not name the kind ${one}.`);
  context.output.result(
    format === 'json'
      ? renderJson({ schema: 'herald/list/1', items: entries, complete: true })
      : joined(
          entries.flatMap(({ url, accounts, events }) => [
            shown`URL:      ${url}`,
            shown`Accounts: ${accounts === null ? 'all' : accounts.join(', ')}`,
            shown`Events:   ${events.join(', ')}`,
          ]),
          '\n',
        ),
  );
  return EXIT.done;
}

/** An entry without accounts is not counted for any of them. */
function problemsOf(urls: readonly string[], accounts: readonly string[]): readonly string[] {
  const same = urls.filter((url) => urls.filter((other) => other === url).length > IDENTICAL_MAX);
  return [
    ...urls
      .filter((url) => !/^https?:$/.test(URL.canParse(url) ? new URL(url).protocol : ''))
      .map((url) => `${url} is not an address.`),
    ...(urls.length > URLS_MAX
      ? [`An organisation can have ${URLS_MAX} addresses, and there are ${urls.length}.`]
      : []),
    ...(same.length > 0
      ? [`${same[0]} is there ${same.length} times; ${IDENTICAL_MAX} may be the same.`]
      : []),
    ...(accounts.length > 0 && urls.length > PER_ACCOUNT_MAX
      ? [`An account can have ${PER_ACCOUNT_MAX} addresses, and there are ${urls.length}.`]
      : []),
  ];
}
