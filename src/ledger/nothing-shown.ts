import type { IntentLine } from './lines.ts';

/** In place of a content of which nothing is needed. */
export const NOTHING_SHOWN: NonNullable<IntentLine['wanted']> = {
  content: { kind: 'welcome', rules: {}, audience_filters: [], messages: [] } as never,
  scheduled_at: null,
};
