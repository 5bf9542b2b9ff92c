import type { Finding, Path } from './findings.ts';
import { PathSet } from './path-set.ts';

/** What rules say because something is not there, by the keys that would do; all else is said about what is there. */
const SAYS_ABSENCE: Readonly<Record<string, readonly string[]>> = {
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
  'text-missing': ['text', 'text_file', 'attachments'],
  'timezone-missing': ['end_at_timezone', 'scheduled_at_timezone'],
  'timezone-without-time': ['end_at'],
};

/** Without what rules say only because something there, or beside it, was wrong and is gone. */
export function withoutEchoes(findings: readonly Finding[], removed: readonly Path[]): readonly Finding[] {
  if (removed.length === 0) return findings;
  const gone = new PathSet(removed);
  return findings.filter((finding) => !isEcho(finding, gone));
}

function isEcho({ path, code }: Finding, gone: PathSet): boolean {
  if (gone.covers(path)) return true;
  const keys = SAYS_ABSENCE[code] ?? [];
  return [...path, ''].some((_, depth) => keys.some((key) => gone.reaches([...path.slice(0, depth), key])));
}
