import type { Chaos } from '../state.ts';
import type { Ended } from '../run.ts';
import { violationsOf } from '../violation.ts';
import { afterwards } from './afterwards.ts';
import { bothGoOutUntold } from './both-at-once.ts';
import { droppedUntold } from './dropped.ts';
import { queueLeft } from './queue-left.ts';
import { saidOfActs } from './said-of-acts.ts';
import { saidOfAnswers } from './said-of-answers.ts';
import { saidOfBlocks } from './said-of-blocks.ts';
import { saidOfClose } from './said-of-close.ts';
import { saidOfCreates } from './said-of-creates.ts';
import { saidOfKept } from './said-of-kept.ts';
import { saidOfLooks } from './said-of-looks.ts';
import { saidOfRaw } from './said-of-raw.ts';
import { saidOfSendAtOnce } from './sent-at-once.ts';
import { saidOfUploads } from './said-of-uploads.ts';
import { saidInReport } from './said-in-report.ts';
import { halfDoneUntold } from './half-done.ts';
import { importedTooEarly } from './imported.ts';
import { leftByTwo } from './left-by-two.ts';
import { endsTooSoon } from './settled.ts';
import { stillTwice } from './still-twice.ts';

/** Judges what a command said, once it has ended by itself. */
export function judgeEnd(chaos: Chaos, ended: Ended): void {
  const { ran, process } = ended;
  // What is sent at once is judged by itself.
  const report = process.run.command.kind === 'send at once' ? null : ended.report;
  const bugs =
    ran.stderr.includes('This is a bug in Herald') || /\n {4}at /.test(ran.stderr)
      ? [ran.stderr.slice(-1500)]
      : [];
  const wrong = [
    ...(report === null ? [] : saidInReport(chaos, ended, report)),
    ...(report === null ? [] : droppedUntold(chaos, ended, report)),
    ...(report === null ? [] : saidOfAnswers(chaos, ended, report)),
    ...(report === null ? [] : saidOfCreates(chaos, ended, report)),
    ...(report === null ? [] : saidOfKept(chaos, ended, report)),
    ...saidOfActs(chaos, ended),
    ...saidOfRaw(chaos, ended),
    ...saidOfUploads(chaos, ended),
    ...saidOfLooks(chaos, ended),
    ...saidOfClose(chaos, ended),
    ...saidOfBlocks(chaos, ended),
    ...saidOfSendAtOnce(chaos, ended),
    ...bothGoOutUntold(chaos, ended),
    ...afterwards(chaos, ended),
    ...stillTwice(chaos, ended),
    ...leftByTwo(chaos, ended),
    ...queueLeft(chaos, ended),
    ...endsTooSoon(chaos, ended),
    ...importedTooEarly(chaos, ended),
    ...halfDoneUntold(chaos, ended),
  ];
  const found = [...violationsOf('bug', bugs), ...violationsOf('false report', wrong)];
  for (const { words } of found) chaos.tell(`    VIOLATION: ${words}`);
  chaos.violations.push(...found);
  process.endedMs ??= chaos.simulator.control.now();
}
