import {
  bannedPattern,
  HOURS_AFTER_DEFAULT,
  MAX_CHANGES_DEFAULT,
  type BannedWords,
  type Limit,
  type Policy,
  type PolicyLevel,
  type QuietHours,
  type RequiredFields,
} from '../domain/policy.ts';
import { notAPrice } from '../domain/price.ts';
import { isZone, notAZone } from '../domain/zones.ts';
import { problem, type Finding, type Path } from './findings.ts';
import type { compilePattern } from './patterns.ts';
import type { WrittenPolicy } from './policy-shape.ts';
import type { YamlSource } from './yaml-source.ts';

/** Loaded only where a pattern is written; null where nobody asks for one. */
export type CompilePattern = typeof compilePattern;

/** `policy:` with its defaults; a rule that is not set is null. */
export function readPolicy(written: WrittenPolicy, compile: CompilePattern | null): Policy {
  const { quiet_hours: quiet, max_broadcasts_per_day: perDay } = written;
  return {
    maxChanges: limitOf(written.max_changes) ?? { limit: MAX_CHANGES_DEFAULT, level: 'deny' },
    maxPriceGross: limitOf(written.max_price_gross),
    minPriceGross: limitOf(written.min_price_gross),
    bannedWords: bannedWordsOf(written.banned_words, compile),
    quietHours: quietHoursOf(quiet),
    maxBroadcastsPerDay:
      perDay === undefined
        ? null
        : { ...limitIn(perDay), timezone: zoneOf(perDay) ?? quiet?.timezone ?? 'UTC' },
    required: requiredOf(written.required),
  };
}

/** What no shape can say: zones, hours, prices as they are written, and patterns. */
export function checkPolicy(
  written: WrittenPolicy,
  source: YamlSource,
  compile: CompilePattern | null,
): Finding[] {
  return [
    ...pricesArePlain(written, source),
    ...hoursMakeSense(written.quiet_hours),
    ...zoneIsKnown(zoneOf(written.max_broadcasts_per_day), ['policy', 'max_broadcasts_per_day', 'timezone']),
    ...patternsCanBeUsed(written.banned_words, compile),
  ];
}

type WrittenLimit = number | { readonly limit: number; readonly level?: PolicyLevel | undefined };

function limitOf(written: WrittenLimit | undefined): Limit | null {
  return written === undefined ? null : limitIn(written);
}

function limitIn(written: WrittenLimit): Limit {
  return typeof written === 'number'
    ? { limit: written, level: 'deny' }
    : { limit: written.limit, level: levelOf(written) };
}

function levelOf({ level }: { readonly level?: PolicyLevel | undefined }): PolicyLevel {
  return level ?? 'deny';
}

function zoneOf(perDay: WrittenPolicy['max_broadcasts_per_day']): string | undefined {
  return typeof perDay === 'object' ? perDay.timezone : undefined;
}

function bannedWordsOf(
  written: WrittenPolicy['banned_words'],
  compile: CompilePattern | null,
): BannedWords | null {
  if (written === undefined) return null;
  const { words, level } = 'words' in written ? { ...written, level: levelOf(written) } : bare(written);
  const searches = words.flatMap((word) => {
    const pattern = bannedPattern(word);
    const search = pattern === null ? undefined : compile?.(pattern);
    return typeof search === 'function' ? [[word, search] as const] : [];
  });
  return words.length === 0 ? null : { words, level, searches: new Map(searches) };
}

function bare(words: readonly string[]): Pick<BannedWords, 'words' | 'level'> {
  return { words, level: 'deny' };
}

function quietHoursOf(written: WrittenPolicy['quiet_hours']): QuietHours | null {
  if (written === undefined) return null;
  const { from, to, timezone, hours_after: hoursAfter = HOURS_AFTER_DEFAULT } = written;
  return { from, to, timezone, hoursAfter, level: levelOf(written) };
}

function requiredOf(written: WrittenPolicy['required']): RequiredFields | null {
  if (written === undefined) return null;
  const fields = 'fields' in written ? written.fields : written;
  const level = 'fields' in written ? levelOf(written) : 'deny';
  return { fields: [...new Set(fields)].sort(), level };
}

function pricesArePlain(written: WrittenPolicy, source: YamlSource): Finding[] {
  return (['max_price_gross', 'min_price_gross'] as const).flatMap((key) => {
    const price = written[key];
    if (price === undefined) return [];
    const path = typeof price === 'number' ? ['policy', key] : ['policy', key, 'limit'];
    const odd = source.oddNumberAt(path);
    return odd === undefined ? [] : [problem('invalid-price', path, notAPrice(odd))];
  });
}

function hoursMakeSense(quiet: WrittenPolicy['quiet_hours']): Finding[] {
  if (quiet === undefined) return [];
  const path = ['policy', 'quiet_hours'];
  const findings = zoneIsKnown(quiet.timezone, [...path, 'timezone']);
  if (quiet.from === quiet.to) {
    const message = 'It ends when it begins: write another hour, or remove quiet_hours.';
    findings.push(problem('quiet-hours-empty', [...path, 'to'], message));
  }
  return findings;
}

function zoneIsKnown(zone: string | undefined, path: Path): Finding[] {
  if (zone === undefined || isZone(zone)) return [];
  return [problem('unknown-timezone', path, notAZone(zone))];
}

function patternsCanBeUsed(
  written: WrittenPolicy['banned_words'],
  compile: CompilePattern | null,
): Finding[] {
  if (written === undefined) return [];
  const path = 'words' in written ? ['policy', 'banned_words', 'words'] : ['policy', 'banned_words'];
  const words = 'words' in written ? written.words : written;
  return words.flatMap((word, index) => {
    const pattern = bannedPattern(word);
    const search = pattern === null ? undefined : compile?.(pattern);
    if (typeof search === 'object') return [problem('invalid-pattern', [...path, index], search.problem)];
    if (pattern !== null || /[^\p{Z}\p{C}]/u.test(word)) return [];
    return [problem('invalid-value', [...path, index], 'Nothing of this word can be seen: write a word.')];
  });
}
