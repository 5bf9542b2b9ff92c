import type { Diagnostic } from '../domain/diagnostic.ts';
import { formatAddress, type Declared } from '../domain/resource.ts';
import type { Policy } from '../domain/workspace.ts';
import { plainText } from './normalise.ts';

/**
 * Every rule of `policy:` that a declared resource breaks; any of them holds back the whole run. Only what
 * is to be sent is judged: a policy must never stand in the way of pausing, archiving or recalling, and
 * what has had its hour is over.
 */
export function checkPolicy(
  declared: readonly Declared[],
  policy: Policy,
  nowMs: number,
): readonly Diagnostic[] {
  const localTime = policy.quietHours === null ? null : clockIn(policy.quietHours.timezone);
  return declared
    .filter((resource) => isToBeSent(resource, nowMs))
    .flatMap((resource) => [
      ...checkPrices(resource, policy),
      ...checkWords(resource, policy),
      ...checkQuietHours(resource, policy, localTime),
    ]);
}

function isToBeSent(resource: Declared, nowMs: number): boolean {
  if (resource.kind === 'campaign') return resource.target === 'active';
  return resource.target === 'scheduled' && Date.parse(resource.scheduledAtUtc) > nowMs;
}

function denial(resource: Declared, rule: string, message: string): Diagnostic {
  return {
    severity: 'error',
    code: `policy-${rule}`,
    message,
    ...resource.source,
    address: formatAddress(resource.address),
  };
}

function checkPrices(resource: Declared, { maxPriceGross: limit }: Policy): readonly Diagnostic[] {
  if (limit === null) return [];
  return resource.content.messages.flatMap((message, index) =>
    (message.price_gross ?? 0) > limit
      ? [
          denial(
            resource,
            'max-price',
            `messages[${index}] costs ${message.price_gross}, above policy.max_price_gross ${limit}.`,
          ),
        ]
      : [],
  );
}

function checkWords(resource: Declared, { bannedWords }: Policy): readonly Diagnostic[] {
  return resource.content.messages.flatMap((message, index) => {
    const text = plainText(message.text).toLocaleLowerCase('en');
    return bannedWords
      .filter((word) => text.includes(word.normalize('NFC').toLocaleLowerCase('en')))
      .map((word) =>
        denial(
          resource,
          'banned-word',
          `messages[${index}] says "${word}", which policy.banned_words forbids.`,
        ),
      );
  });
}

function checkQuietHours(
  resource: Declared,
  { quietHours }: Policy,
  localTime: Intl.DateTimeFormat | null,
): readonly Diagnostic[] {
  if (quietHours === null || localTime === null || resource.kind !== 'broadcast') return [];
  const local = localTime.format(new Date(resource.scheduledAtUtc));
  const { from, to, timezone } = quietHours;
  const crossesMidnight = from > to;
  const quiet = crossesMidnight ? local >= from || local < to : from <= local && local < to;
  if (!quiet) return [];
  const message = `it goes out at ${local} in ${timezone}, within policy.quiet_hours ${from} to ${to}.`;
  return [denial(resource, 'quiet-hours', message)];
}

/** Says `HH:MM` in a zone; made once, because looking up a zone is slow. */
function clockIn(timezone: string): Intl.DateTimeFormat {
  return new Intl.DateTimeFormat('en-GB', {
    timeZone: timezone,
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
  });
}
