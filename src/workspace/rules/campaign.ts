import { KNOWN_TRIGGERS } from '../../domain/campaign.ts';
import { warning, error, type Finding } from '../findings.ts';
import type { WrittenCampaign } from '../schema.ts';
import { checkWord, type WordsKnown } from '../known-words.ts';
import { AUDIENCE_RULES } from './audience.ts';
import { ignoresWhatIsCompared } from '../ignore.ts';
import { endIsATime } from './end.ts';
import { hasMessages, MESSAGE_RULES } from './messages.ts';
import { NAME_RULES } from './names.ts';
import type { OddNumberAt, Rule } from './rule.ts';

/** Rules for one campaign */
export const CAMPAIGN_RULES: readonly Rule<WrittenCampaign>[] = [
  ...NAME_RULES,
  ignoresWhatIsCompared('campaign'),
  triggerIsKnown,
  actionFitsMessages,
  expiryRulesFitTrigger,
  retryFitsUnsend,
  endIsATime,
  ...AUDIENCE_RULES,
  ...MESSAGE_RULES,
];

/** Two more triggers exist, but their names are not documented (CAMPAIGN-3). */
function triggerIsKnown(
  { trigger }: WrittenCampaign,
  _oddNumberAt: OddNumberAt,
  known: WordsKnown,
): Finding[] {
  return checkWord('triggers', trigger, ['trigger'], known);
}

/** `start_mimic` opens an automated chat and has no messages (CAMPAIGN-4). */
function actionFitsMessages(written: WrittenCampaign): Finding[] {
  if (written.action === 'send_message') return hasMessages(written);
  if ((written.messages ?? []).length === 0) return [];
  const message = 'start_mimic cannot have messages. Remove them, or write `action: send_message`.';
  return [error('messages-not-allowed', ['messages'], message, 'key')];
}

const EXPIRY_RULES = ['send_after_expire_min', 'send_before_expire_min'] as const;

/** Assumed: only a known trigger without an expiry is certainly wrong (CAMPAIGN-3). */
function expiryRulesFitTrigger({ rules = {}, trigger }: WrittenCampaign): Finding[] {
  if (!KNOWN_TRIGGERS.includes(trigger)) return [];
  return EXPIRY_RULES.filter((rule) => rules[rule] !== undefined).map((rule) =>
    warning(
      'rule-without-trigger',
      ['rules', rule],
      `${rule} has no effect with ${trigger}, because it has no expiry. Remove it, or change the trigger.`,
      'key',
    ),
  );
}

function retryFitsUnsend({ rules = {} }: WrittenCampaign): Finding[] {
  const unsends =
    rules.unsend_delay_sec !== undefined ||
    rules.unsend_if_not_read_enabled === true ||
    rules.unsend_if_not_replied_enabled === true;
  if (rules.retry_after_unsend_min === undefined || unsends) return [];
  const message =
    'This needs a rule that recalls messages. Add unsend_delay_sec or another unsend rule, or remove this.';
  return [warning('rule-without-unsend', ['rules', 'retry_after_unsend_min'], message, 'key')];
}
