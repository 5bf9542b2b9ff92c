import type { CampaignTarget } from '../../domain/status.ts';
import type { Diagnostic } from '../../domain/diagnostic.ts';
import type { DeclaredCampaign } from '../../domain/resource.ts';
import {
  campaignColumn,
  declaredEndPassed,
  passedEndOf,
  classifyCampaign,
  type CampaignCase,
  type CampaignCell,
  type CampaignColumn,
  type CampaignMember,
} from './column.ts';
import {
  activate,
  blockForeign,
  blockRecalled,
  blockUnreadable,
  create,
  finish,
  reactivate,
  replace,
  keepLowest,
} from './run.ts';
import { unlessRecalled } from './undone-stops.ts';
import { archiveAll, blockArchivedRecall, keep, keepAbsent, pauseAll, recallAll } from './stop.ts';
import { blocked, change, only, warning, type Decision, type Terms } from '../decision.ts';

/**
 * What to do, by what is declared and what is live:
 *
 * | declared | none   | active= | active≠ | active? | paused=  | paused≠ | paused? | archived=  | recalled | unnamed status |
 * |----------|--------|---------|---------|---------|----------|---------|---------|------------|----------|----------------|
 * | active   | create | keepLowest | replace | blocked | activate | finish  | blocked | reactivate | blocked  | blocked        |
 * | paused   | keep   | pause   | pause   | pause   | keep     | keep    | keep    | keep       | keep     | blocked        |
 * | archived | keep   | archive | archive | archive | archive  | archive | archive | keep       | keep     | blocked        |
 * | recalled | keep   | recall  | recall  | recall  | recall   | recall  | recall  | blocked    | keep     | blocked        |
 *
 * `=` equal, `≠` different, `?` content not comparable. Archived members with another content count as none.
 * The column is that of the most alive member; `archive` and `recall` reach every other member of the name,
 * too, so `keep` in those rows means that none is left that still runs or waits. Whatever starts something needs
 * `--allow resume` where a person stopped it (`undoneStops`), and is blocked where the latest version with the
 * declared content was recalled (`unlessRecalled`).
 */
const TABLE = {
  active: {
    none: unlessRecalled(create),
    active_equal: keepLowest,
    active_different: unlessRecalled(replace),
    active_unknowable: blockUnreadable,
    paused_equal: unlessRecalled(activate),
    paused_different: unlessRecalled(finish),
    paused_unknowable: blockUnreadable,
    archived_equal: unlessRecalled(reactivate),
    recalled: blockRecalled,
    foreign: blockForeign,
  },
  paused: {
    none: keepAbsent,
    active_equal: pauseAll,
    active_different: pauseAll,
    active_unknowable: pauseAll,
    paused_equal: keep,
    paused_different: keep,
    paused_unknowable: keep,
    archived_equal: keep,
    recalled: keep,
    foreign: blockForeign,
  },
  archived: {
    none: archiveAll(keepAbsent),
    active_equal: archiveAll(keep),
    active_different: archiveAll(keep),
    active_unknowable: archiveAll(keep),
    paused_equal: archiveAll(keep),
    paused_different: archiveAll(keep),
    paused_unknowable: archiveAll(keep),
    archived_equal: archiveAll(keep),
    recalled: archiveAll(keep),
    foreign: blockForeign,
  },
  recalled: {
    none: recallAll(keepAbsent),
    active_equal: recallAll(keep),
    active_different: recallAll(keep),
    active_unknowable: recallAll(keep),
    paused_equal: recallAll(keep),
    paused_different: recallAll(keep),
    paused_unknowable: recallAll(keep),
    archived_equal: recallAll(blockArchivedRecall),
    recalled: recallAll(keep),
    foreign: blockForeign,
  },
} as const satisfies Record<CampaignTarget, Record<CampaignColumn, CampaignCell>>;

/** Decides about one declared campaign and every live object of its name. */
export function decideCampaign(
  declared: DeclaredCampaign,
  group: readonly CampaignMember[],
  terms: Terms,
): Decision {
  const { column, members } = campaignColumn(group);
  const the: CampaignCase = { declared, terms, group, members };
  const endAt = declaredEndPassed(declared, terms.nowMs);
  if (endAt !== null && column !== 'active_equal') return ended(the, endAt);
  const { changes, diagnostics } = TABLE[declared.target][column](the);
  const notes = column === 'foreign' ? [] : foreignNotes(the);
  return { changes, diagnostics: [...diagnostics, ...notes] };
}

/** An end that has passed: nothing is created, replaced or activated for it any more (CAMPAIGN-5). */
function ended(the: CampaignCase, endAt: string): Decision {
  const { declared, group, terms } = the;
  const running = group.find(
    (member) => classifyCampaign(member) === 'active' && passedEndOf(member, terms.nowMs) === null,
  );
  if (running !== undefined) {
    const reason = `The declared end ${endAt} has passed, but ${running.id} is live with other content and continues. To stop it, set status: paused or archived. To continue, set a later rules.end_at.`;
    return only(blocked(declared, reason, running));
  }
  const [member] = group;
  const reasons = [`Its end ${endAt} has passed.`];
  if (member !== undefined) return only(change(declared, 'done', { member, reasons }));
  const missed = `Its end ${endAt} passed before it was created.`;
  const message = `${missed} Herald does not create it. Change rules.end_at, or remove it.`;
  return {
    changes: [change(declared, 'missed', { reasons: [missed] })],
    diagnostics: [warning(declared, 'missed', message)],
  };
}

/** A further member with an unknown status is not changed; a warning names it. */
function foreignNotes({ declared, group }: CampaignCase): readonly Diagnostic[] {
  return group
    .filter((member) => classifyCampaign(member) === 'foreign')
    .map((member) =>
      warning(
        declared,
        'unnamed-status',
        `${member.id} has the same name, and its status "${member.observed.live.status ?? 'null'}" is unknown to this version of Herald. Herald does not change it. Check it on the service.`,
      ),
    );
}
