import type { Finding, Path } from './findings.ts';
import { PathSet } from './path-set.ts';

/** For each "missing" finding, the keys that would fix it. All other findings are about values that exist. */
const CAUSED_BY_MISSING: Readonly<Record<string, readonly string[]>> = {
  'account-selector': ['id', 'username', 'custom_label', 'platform_account_id'],
  'audience-missing': ['audience', 'audience_filters'],
  'media-missing': ['file', 'id', 'type'],
  'messages-missing': ['messages'],
  'missing-key': ['file', 'id', 'type'],
  'paid-without-price': ['price_gross'],
  'price-without-paid': ['attachments', 'text_is_paid'],
  'rule-without-unsend': ['unsend_delay_sec', 'unsend_if_not_read_enabled', 'unsend_if_not_replied_enabled'],
  'schedule-missing': ['scheduled_at'],
  'service-missing': ['base_url', 'simulator'],
  'settle-too-short': ['simulator'],
  'range-missing': ['options'],
  'text-missing': ['text', 'text_file', 'attachments'],
  'timezone-missing': ['end_at_timezone', 'scheduled_at_timezone'],
  'timezone-without-time': ['end_at'],
};

/** Removes findings that only follow from a wrong value that was removed. */
export function dropFollowUps(findings: readonly Finding[], removed: readonly Path[]): readonly Finding[] {
  if (removed.length === 0) return findings;
  const gone = new PathSet(removed);
  return findings.filter((finding) => !isFollowUp(finding, gone));
}

function isFollowUp({ path, code }: Finding, gone: PathSet): boolean {
  if (gone.covers(path)) return true;
  const keys = CAUSED_BY_MISSING[code] ?? [];
  return [...path, ''].some((_, depth) => keys.some((key) => gone.reaches([...path.slice(0, depth), key])));
}
