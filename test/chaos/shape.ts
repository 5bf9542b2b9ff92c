import type { ModeChanges } from '../../src/simulator/modes.ts';
import type { DrawnFault } from './fault-kinds.ts';

/** What may be declared on each account. */
export const SLOTS = [
  { name: 'Welcome', kind: 'campaign', runs: 'active' },
  { name: 'Teaser', kind: 'broadcast', runs: 'scheduled' },
  { name: 'Second', kind: 'campaign', runs: 'active' },
  { name: 'Reminder', kind: 'broadcast', runs: 'scheduled' },
] as const;
export type SlotName = (typeof SLOTS)[number]['name'];

/** The other one of its kind. */
export const OTHER_SLOT: Readonly<Record<SlotName, SlotName>> = {
  Welcome: 'Second',
  Second: 'Welcome',
  Teaser: 'Reminder',
  Reminder: 'Teaser',
};

/** One resource as one version of the files declares it. */
export interface SlotVersion {
  readonly slot: SlotName;
  readonly target: 'runs' | 'paused' | 'archived' | 'recalled';
  /** Whether its text differs from the version before. */
  readonly newWords: boolean;
  /** Its text is again the one before the last. */
  readonly oldWords: boolean;
  /**
   * Whether it has another name than before.
   *
   * | rename    | the name is                                                   | `renamed_from` is         |
   * |-----------|---------------------------------------------------------------|---------------------------|
   * | said      | a new one                                                     | the name before           |
   * | unsaid    | a new one                                                     | not there                 |
   * | back      | the one before the last rename, and so is the text            | not there                 |
   * | corrected | a new one in place of that of the last rename                 | the name before that one  |
   * | taken     | the first one of the other slot of its kind, if that is free  | not there                 |
   */
  readonly rename: 'no' | 'said' | 'unsaid' | 'back' | 'corrected' | 'taken';
  /** Has the text that the other slot of its kind has or had: two of them exchange their texts, or one takes over. */
  readonly takesText: boolean;
  /** Has the name that it had, although what had it was recalled. */
  readonly sameName: boolean;
  readonly protect: boolean;
  /** Which of the two pictures it shows, and with which bytes; null for none. */
  readonly picture: { readonly place: 0 | 1; readonly bytes: number } | null;
  readonly replace: 'pause_first' | 'create_first';
  /** The queue of the version before is cleared. */
  readonly clears: boolean;
  /** Its messages wait in a queue for some minutes. */
  readonly waits: boolean;
  /** A broadcast goes out some time after its usual hour. */
  readonly later: boolean;
}

/**
 * How a process is disturbed at its nth write, or at its nth line of the ledger. A command that keeps house sends no
 * writes: of it each request counts, and each write to a file.
 */
export interface Cut {
  readonly at: number;
  /**
   * | how             | what happens                                                            |
   * |-----------------|-------------------------------------------------------------------------|
   * | before_commit   | it is killed before the service carries its nth write out               |
   * | after_commit    | it is killed after the service carried its nth write out                |
   * | before_line     | it is killed before its nth line of the ledger                          |
   * | within_line     | it is killed in the middle of its nth line of the ledger                |
   * | interrupt       | it gets a Ctrl-C at its nth write                                       |
   * | freeze          | it stops for `sec` seconds before its nth write leaves, then goes on    |
   * | freeze_answer   | the same while the answer is on its way                                 |
   * | full_disk       | from its nth line of the ledger on nothing can be written               |
   * | clock           | its machine's clock jumps by `sec` seconds at its nth write             |
   * | lock_lost       | its lock is another's as soon as its nth write has left                 |
   */
  readonly how:
    | 'before_commit'
    | 'after_commit'
    | 'before_line'
    | 'within_line'
    | 'interrupt'
    | 'freeze'
    | 'freeze_answer'
    | 'full_disk'
    | 'clock'
    | 'lock_lost';
  readonly sec: number;
}

/** What a person does on the service itself, to the newest object of a slot on the first account. */
export type PersonAction =
  | {
      readonly kind: 'change';
      readonly slot: SlotName;
      readonly verb: Verb;
      /** Of those that run the newest: a copy that Herald has stopped may be newer. */
      readonly running?: boolean;
    }
  /** Makes another one with the same name and words: those that run there, or those that the files declare. */
  | { readonly kind: 'copy'; readonly slot: SlotName }
  /** Makes one with the name of the slot and with words of their own. */
  | { readonly kind: 'own words'; readonly slot: SlotName }
  | { readonly kind: 'edit'; readonly slot: SlotName }
  /** Lets a broadcast go out at the next full hour. */
  | { readonly kind: 'sooner'; readonly slot: SlotName }
  /** Sets a rule of which no file says anything. */
  | { readonly kind: 'tune'; readonly slot: SlotName }
  | { readonly kind: 'rename'; readonly slot: SlotName }
  | { readonly kind: 'payout'; readonly cents: number }
  /** Writes in the chat that commands send messages to. */
  | { readonly kind: 'message'; readonly words: number }
  /** The username of the first account becomes that of another account. */
  | { readonly kind: 'username' }
  /** Sends a broadcast at once under the name that a draft has as well. */
  | { readonly kind: 'flash'; readonly words: number }
  /** Not on the service: a git pull brings the ledgers of all others into that of the command. */
  | { readonly kind: 'pull' };

export type Verb = 'pause' | 'archive' | 'start' | 'recall';

/** When a person acts next to a run: right before its nth request of a sort, or between its saved plan and its apply. */
export interface PersonAt {
  readonly before: 'list' | 'write' | 'request' | 'saved plan';
  readonly nth: number;
  /** Seconds after that moment, where it has not ended by then. */
  readonly afterSec?: number;
  readonly deed: PersonAction;
}

/** One command line, without what it is told by the files. */
export type Command =
  | {
      readonly kind: 'apply';
      /** Place in `TARGETINGS`. */
      readonly targeting: number;
      /** Planned first, and applied from the file. */
      readonly saved: boolean;
      /** Of a saved plan: a reviewer agrees to some of its changes, and the files are planned again. */
      readonly reviewed?: boolean;
      readonly prune: boolean;
      /** It prunes without the permission for a large part of an account. */
      readonly small?: boolean;
      /** Whether it allows what the files declare recalled. */
      readonly recalls: boolean;
      /** Allowances that nothing else calls for. */
      readonly allow: readonly ('adopt' | 'resume')[];
    }
  | { readonly kind: 'by hand'; readonly slot: SlotName; readonly verb: Verb }
  /** Sends a broadcast of a draft, that no other file has. */
  | { readonly kind: 'send at once'; readonly words: number }
  | { readonly kind: 'payout'; readonly cents: number; readonly sure: readonly Sure[] }
  | { readonly kind: 'chat'; readonly words: number; readonly sure: readonly Sure[] }
  | { readonly kind: 'follow'; readonly fan: number }
  | { readonly kind: 'label'; readonly fan: number; readonly words: number }
  | { readonly kind: 'upload'; readonly bytes: number; readonly again: boolean }
  /** A nameless one is of the slot's kind, with words that no file has. */
  | { readonly kind: 'api create'; readonly slot: SlotName; readonly nameless?: boolean }
  | { readonly kind: 'api change'; readonly slot: SlotName; readonly verb: Verb }
  | { readonly kind: 'api payout'; readonly cents: number }
  | { readonly kind: 'api chat'; readonly words: number }
  | { readonly kind: 'import' }
  | {
      readonly kind: 'look';
      readonly at: 'plan' | 'plan --detailed-exitcode' | 'drift' | 'history' | 'ledger check' | 'doctor';
    }
  | { readonly kind: 'compact' }
  /** Closes the nth newest unconfirmed request of the ledger; where there is none, one that has ended. */
  | { readonly kind: 'close'; readonly nth: number; readonly says: 'it went out' | 'it did not go out' };

/** By which flags a person says that a possible repeat is meant. */
type Sure = 'acknowledge' | 'allow-similar';

/** One process. */
export interface Run {
  /** Place in `Scenario.operators`. */
  readonly operator: number;
  readonly command: Command;
  /** How long after the others of its step it begins. */
  readonly afterSec: number;
  readonly cut: Cut | null;
  readonly people: readonly PersonAt[];
}

/** What happens in a scenario, one after the other. */
export type Step =
  /** The files of one operator, or of all of them, are another version from now on. */
  | {
      readonly kind: 'files';
      readonly operator: number | null;
      readonly slots: readonly SlotVersion[];
    }
  /** Processes that begin at the same moment; faults that strike until the last of them has ended. */
  | {
      readonly kind: 'runs';
      readonly runs: readonly Run[];
      readonly faults: readonly DrawnFault[];
    }
  | { readonly kind: 'person'; readonly deed: PersonAction }
  /** A new fan comes: the campaigns greet. */
  | { readonly kind: 'fan' }
  | { readonly kind: 'wait'; readonly sec: number }
  /** The workspaces have only the other account, or both again. */
  | { readonly kind: 'first account'; readonly isThere: boolean }
  /** A machine's clock is set. */
  | { readonly kind: 'clock'; readonly operator: number; readonly sec: number }
  | { readonly kind: 'ledger lost'; readonly operator: number }
  /** Someone adds lines by which what a person made for the slot would be Herald's own. */
  | { readonly kind: 'ledger forged'; readonly slot: SlotName; readonly forgery: Forgery }
  | ({ readonly kind: 'ledger damaged' } & Damage)
  /** A person brings the damaged line back. */
  | { readonly kind: 'ledger repaired'; readonly operator: number }
  /** All operators get the lines of all ledgers, as `merge=union` joins them. */
  | { readonly kind: 'ledgers joined' };

/**
 * | forgery | says                                                             |
 * | ------- | ---------------------------------------------------------------- |
 * | create  | that Herald created that object: a copy of what it did create    |
 * | maker   | of a create of Herald's own, that its maker is the person        |
 */
export type Forgery = 'create' | 'maker';

/** A line of a ledger that cannot be read any more: the last one of its kind. */
export interface Damage {
  readonly operator: number;
  readonly line: 'create' | 'status' | 'protection' | 'act';
  /**
   * A sign in it is another one, a merge has put its mark in the place of the line, or a line is before it that a crash
   * has cut short: that one announced nothing.
   */
  readonly how: 'garbled' | 'merge mark' | 'cut';
}

/** A person with a workspace, a ledger and a machine of their own. */
export interface Operator {
  /** The machine's clock minus the right time. */
  readonly clockSec: number;
  /** How much faster the machine's clock runs, in parts per million. */
  readonly driftPpm: number;
  /** Milliseconds until a line of the ledger is on the machine's disk. */
  readonly diskMs: number;
  /** Reaches the service through a proxy, with failures that come as they are. */
  readonly proxy: boolean;
  /** The workspace names the first account by its username. */
  readonly byUsername: boolean;
}

/**
 * Everything that happens in one run of the chaos, as plain data: nothing is drawn while it is played. Any array in it
 * may lose elements, and any member that may be null may become null: what is left is a scenario, too.
 */
export interface Scenario {
  /** What it is mainly about, for the table. */
  readonly theme: string;
  readonly worldSeed: number;
  /** False: the ledgers have digests in place of texts (`store_texts: false`). */
  readonly storesTexts: boolean;
  readonly modes: ModeChanges;
  readonly accounts: 1 | 2;
  readonly operators: readonly Operator[];
  /** Minutes after noon at which it begins; beyond none, the teaser's hour comes in the middle of it. */
  readonly startMin: number;
  /** More objects than a page of a list holds. */
  readonly crowded: boolean;
  readonly steps: readonly Step[];
}

/** What a run may be about, as its flags, and whether they cover an address. */
export const TARGETINGS: readonly {
  readonly flags: readonly string[];
  readonly covers: (account: string, kind: string, name: string) => boolean;
}[] = [
  { flags: [], covers: () => true },
  { flags: ['--target', 'alice'], covers: (account) => account === 'alice' },
  { flags: ['--target', '*/campaign'], covers: (_, kind) => kind === 'campaign' },
  { flags: ['--target', '*/*/Te*'], covers: (_account, _kind, name) => name.startsWith('Te') },
  {
    flags: ['--exclude', '*/campaign/We*'],
    covers: (_, kind, name) => !(kind === 'campaign' && name.startsWith('We')),
  },
  {
    flags: ['--target', 'alice/campaign/We*'],
    covers: (account, kind, name) => account === 'alice' && kind === 'campaign' && name.startsWith('We'),
  },
];
