import type { Allowance } from '../../domain/allowance.ts';
import { classifyCampaign, type CampaignCase, type CampaignCell } from './column.ts';
import {
  adoptionOf,
  blocked,
  change,
  fieldsOf,
  only,
  step,
  unlessBlocked,
  type Decision,
} from '../decision.ts';
import { formatCommand } from '../../domain/command-line.ts';

// The cells of a campaign that is declared paused, archived or recalled.

/** Already as declared. What differs in content is shown: it matters once it is switched on again. */
export function keep(the: CampaignCase): Decision {
  const member = the.members[0] ?? null;
  const fields = the.declared.target === 'paused' ? fieldsOf(member) : [];
  const reasons =
    fields.length === 0
      ? []
      : ['The paused version has other content. If you set it to active, a new one is created.'];
  return only(change(the.declared, 'keep', { member, reasons, fields }));
}

export function keepAbsent(the: CampaignCase): Decision {
  const reasons =
    the.declared.target === 'paused'
      ? ['Not created while paused, because a new campaign is live immediately.']
      : ['Nothing of this name is running.'];
  return only(change(the.declared, 'keep', { reasons }));
}

export function pauseAll(the: CampaignCase): Decision {
  return everyMember(the, ['active'], 'pause', [], keep);
}

export function archiveAll(otherwise: CampaignCell): CampaignCell {
  return (the) => everyMember(the, ['active', 'paused'], 'archive', [], otherwise);
}

export function recallAll(otherwise: CampaignCell): CampaignCell {
  return (the) => everyMember(the, ['active', 'paused'], 'recall', ['recall'], otherwise);
}

/** One change for each member of the whole group in one of the states; `otherwise` when there is none. */
function everyMember(
  the: CampaignCase,
  states: readonly string[],
  action: 'pause' | 'archive' | 'recall',
  needs: readonly Allowance[],
  otherwise: CampaignCell,
): Decision {
  const concerned = the.group.filter((member) => states.includes(classifyCampaign(member)));
  if (concerned.length === 0) return otherwise(the);
  const changes = concerned.map((member) => {
    const wanted = change(the.declared, action, {
      member,
      reasons: [`Declared ${the.declared.target}.`],
      steps: [step(action, member)],
    });
    return unlessBlocked(the.terms, wanted, [...adoptionOf(member), ...needs]);
  });
  return only(...changes);
}

/** Only active and paused ones can be recalled (CAMPAIGN-12). */
export function blockArchivedRecall(the: CampaignCase): Decision {
  const member = the.members[0] ?? null;
  const pause = formatCommand(
    'campaigns',
    'pause',
    member?.id ?? 'ID',
    '--account',
    the.declared.address.account,
  );
  const reason = `An archived campaign cannot be recalled. Pause it first with: ${pause}. Then run ${formatCommand('apply')} again. Only messages of the last 24 hours are recalled.`;
  return only(blocked(the.declared, reason, member));
}
