import type { Mutant } from '../mutant.ts';

/** Reports, plans and operators next to what happened on the service. */
export const ORACLE: readonly Mutant[] = [
  {
    name: 'a rename of nothing starts next to what runs',
    protects: 'A rename of a name that was never live starts nothing next to what Herald left running.',
    file: 'src/plan/guards/successors.ts',
    find: 'return by === undefined ? null : { old: null, by };',
    replace: 'return by === undefined || group.length === 0 ? null : { old: null, by };',
    test: {
      file: 'test/flows/renames-cut-short.test.ts',
      name: 'starts no third name next to the second one',
    },
  },
  {
    name: 'an answered create is called adopted',
    protects: 'A create that was answered with success is applied.',
    file: 'src/apply/change-run.ts',
    find: "return { outcome: outcomeOf(change, 'applied', liveId, notes.join('; ')), denied: false, residue: false };",
    replace:
      "return { outcome: outcomeOf(change, change.action === 'create' ? 'adopted' : 'applied', liveId, notes.join('; ')), denied: false, residue: false };",
  },
  {
    name: 'a create found in the list is called applied',
    protects: 'What a create without an answer has made is adopted.',
    file: 'src/apply/merge-reports.ts',
    find: 'outcome: settled.outcome,',
    replace: "outcome: settled.outcome === 'adopted' ? 'applied' : settled.outcome,",
  },
  {
    name: 'a refused status change is called unknown',
    protects: 'An outcome is unknown only if a request got no answer; a refusal is one.',
    file: 'src/apply/step-status.ts',
    find: 'if (!mayStillLand(context, liveId, target)) return failure(result);',
    replace:
      "if (!mayStillLand(context, liveId, target)) return unconfirmed(context, asked, 'never confirmed');",
  },
  {
    name: 'a raw stop is not of a person',
    protects: 'What a person stopped by a raw call is not started without --allow resume.',
    file: 'src/operations/raw-call/changes.ts',
    find: "purpose: 'by_hand',",
    replace: "purpose: 'declared',",
  },
  {
    name: 'a raw call is repeated after a lost answer',
    protects: 'A raw payout or message without an answer is not sent again.',
    file: 'src/operations/raw-call/raw-call.ts',
    find: 'const send = client.prepareRow(operation, row, input);',
    replace: "const send = client.prepareRow(operation, { ...row, repeat: 'idempotent' }, input);",
  },
  {
    name: 'a raw call repeats what is on record',
    protects: 'A raw payout or message that the ledger has already needs --allow-similar.',
    file: 'src/cli/service/api-write.ts',
    find: 'if (!allowSimilar) await refuseSimilar(ports, call);',
    replace: 'if (allowSimilar && ports.known.lines.length < 0) await refuseSimilar(ports, call);',
  },
  {
    name: 'a saved plan changes what it has left alone',
    protects: 'An apply of a saved plan touches nothing that the plan did not show.',
    file: 'src/plan/other-decisions.ts',
    find: 'if (canonical(comparable(before)) === canonical(comparable(after))) return [];',
    replace:
      'if (before === undefined || canonical(comparable(before)) === canonical(comparable(after))) return [];',
    test: { file: 'test/flows/saved-plans.test.ts', name: 'someone gave it allowances by hand' },
  },
  {
    name: 'the final scan passes over copies of others',
    protects:
      'What two operators without a shared ledger make at the same time is stopped or reported when both have ended.',
    file: 'src/reconcile/carry-out.ts',
    find: 'const next = [...stops, ...blockedSince(before, after, report, source.declared)];',
    replace: 'const next = [...stops, ...blockedSince(before, after, report, source.declared)].slice(0, 0);',
  },
  {
    name: 'no final scan next to a replace that failed after its create',
    protects:
      'A copy of another operator is also stopped next to a new version with an old one that could not be stopped.',
    file: 'src/reconcile/left-live.ts',
    find: "const CUT_SHORT: readonly OutcomeKind[] = ['failed', 'unknown'];",
    replace: 'const CUT_SHORT: readonly OutcomeKind[] = [];',
    test: {
      file: 'test/flows/two-operators.test.ts',
      name: 'leaves one of the two new versions, also where the old one changes before this run stops it',
    },
  },
  {
    name: 'a copy is passed over while lists do not show ours yet',
    protects:
      'The report of an apply names a copy of another operator, also where the list does not show its own object yet.',
    file: 'src/reconcile/hidden-creates.ts',
    find: 'if (others.length === 0) return',
    replace: 'if (others.length < 99) return',
    test: {
      file: 'test/flows/two-operators.test.ts',
      name: 'is named in the report: the next apply stops one of the two',
    },
  },
  {
    name: 'a pause by hand takes what runs for paused',
    protects: 'A stop by hand says that nothing is to be done only if the object is stopped.',
    file: 'src/plan/by-hand/campaign.ts',
    find: '    active: pause,\n    paused: unlessByApply(unlessAgain(pause)),',
    replace: '    active: isSo,\n    paused: unlessByApply(unlessAgain(pause)),',
  },
  {
    name: 'a broadcast on its way is called missed',
    protects: 'A broadcast is missed only if it was never created.',
    file: 'src/plan/broadcast/decide.ts',
    find: "scheduled_equal: keepLowest('done'),",
    replace: "scheduled_equal: keepLowest('missed'),",
  },
  {
    name: 'a broadcast that waits is called done',
    protects: 'A broadcast is done only if it was sent or recalled, or if it is too late for a change.',
    file: 'src/plan/broadcast/decide.ts',
    find: "    scheduled_equal: keepLowest('keep'),\n    scheduled_different: unlessRecalled(replace),",
    replace: "    scheduled_equal: keepLowest('done'),\n    scheduled_different: unlessRecalled(replace),",
  },
  {
    name: 'an answered recall is called failed',
    protects: 'A recall that was answered with success, and holds, has not failed.',
    file: 'src/apply/step-recall.ts',
    find: "if (result.kind === 'done') return { kind: 'ok', liveId };",
    replace:
      "if (result.kind === 'done') return { kind: 'failed', message: 'It was refused.', denied: false };",
  },
  {
    name: 'a finished upload fails',
    protects: 'An upload has not failed if its export was answered with success.',
    file: 'src/cli/vault/upload-report.ts',
    find: 'if (there === outcomes.length) return EXIT.done;',
    replace: 'if (there === outcomes.length) return EXIT.failed;',
  },
  {
    name: 'a raw payout or message that was answered fails',
    protects: 'A raw payout or message that was answered with success ends with exit 0.',
    file: 'src/cli/service/api.ts',
    find: 'return unconfirmed === null ? exit : tellUnconfirmed(context, unconfirmed);',
    replace: 'return unconfirmed === null && !/^(payouts|chat)/.test(name) ? exit : EXIT.unknown;',
  },
  {
    name: 'a label that was set fails',
    protects: 'A label that was answered with success ends with exit 0.',
    file: 'src/cli/fans/label.ts',
    find: 'printLabelled(run, labels, labelled.confirmed);\n      return EXIT.done;',
    replace: 'printLabelled(run, labels, labelled.confirmed);\n      return EXIT.failed;',
  },
  {
    name: 'a requested payout is called unconfirmed',
    protects: 'A payout of which each request was answered is not unconfirmed.',
    file: 'src/cli/payouts/report.ts',
    find: "printPayout(run, { outcome: end.adopted ? 'adopted' : 'requested', request: end.request, words });\n      return EXIT.done;",
    replace:
      "printPayout(run, { outcome: end.adopted ? 'adopted' : 'requested', request: end.request, words });\n      return EXIT.unknown;",
  },
  {
    name: 'an answered create is adopted after a second look',
    protects: 'A create that was answered is applied, whatever became of a later request of its change.',
    file: 'src/apply/merge-reports.ts',
    find: 'const isOwn = id === unknown.live_id &&',
    replace: 'const isOwn = id === null &&',
    test: { file: 'test/apply/merge-reports.test.ts', name: 'says what got no answer' },
  },
  {
    name: 'another payout by the balance is of the same amount',
    protects: 'A payout that only the balance shows is not called one of the same amount.',
    file: 'src/cli/payouts/report.ts',
    find: "'another payout was probably requested at the same time'",
    replace: "'another one of the same amount was made at the same time'",
    test: { file: 'test/flows/payouts-two-people.test.ts', name: 'is not called one of the same' },
  },
];
