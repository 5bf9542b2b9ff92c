import type { Command } from 'commander';
import { collect, group, sub, type Act } from '../sub.ts';

interface SendFlags {
  readonly text?: string;
  readonly textFile?: string;
  readonly price?: string;
  readonly locked?: boolean;
  readonly media: readonly string[];
  readonly account?: string;
  readonly yes?: boolean;
  readonly allowSimilar?: boolean;
  readonly acknowledge?: boolean;
  readonly localCheck: boolean;
}

interface FanFlags {
  readonly account?: string;
  readonly yes?: boolean;
}

interface LabelFlags extends FanFlags {
  readonly name?: string;
  readonly note?: string;
}

/** What an account says to fans and does about them; the commands that read stand with the other reads. */
export function declareChat(program: Command, act: Act): void {
  declareSend(group(program, 'chat', 'the messages of a chat, and new ones'), act);
  const fans = group(program, 'fans', 'fans, their labels, and following them');
  declareLabel(fans, act);
  declareFollow(fans, act);
}

function declareSend(chat: Command, act: Act): void {
  sub(chat, 'send <CHAT> [TEXT]', 'send one message; it is queued, and never sent twice', [
    'herald chat send 101001 --account alice --text "Good morning!"',
    'herald chat send 101001 --account alice --text-file offer.md --price 9.99 --locked --yes',
    'herald chat send 101001 --account alice --price 5 --media 55012:photo:paid --media 55013:photo',
    'echo "Good morning!" | herald chat send 101001 - --account alice --yes',
  ])
    .option('--text <text>', 'the words')
    .option('--text-file <file>', 'the words from a file, - for standard input')
    .option('--price <usd>', 'US dollars as a plain decimal number; 0 is free')
    .option('--locked', 'the text is locked until it is paid')
    .option('--media <id:type[:paid]>', 'a medium of the vault (repeatable)', collect, [])
    .option('--account <name>', 'alias or id of the account')
    .option('--yes', 'do not ask')
    .option('--acknowledge', 'go on although an earlier send is not certain: you have looked at the chat')
    .option('--allow-similar', 'go on although the same message went out within five minutes')
    .option('--no-local-check', 'leave the rules about price, locked text and media to the service')
    .action((chat: string, text: string | undefined, flags: SendFlags, command: Command) =>
      act(command, async (context) =>
        (await import('./send.ts')).chatSendCommand(context, chat, {
          operand: text,
          text: flags.text,
          textFile: flags.textFile,
          price: flags.price,
          locked: flags.locked === true,
          media: flags.media,
          account: flags.account,
          yes: flags.yes === true,
          allowSimilar: flags.allowSimilar === true,
          acknowledge: flags.acknowledge === true,
          localCheck: flags.localCheck,
        }),
      ),
    );
}

function declareLabel(fans: Command, act: Act): void {
  sub(fans, 'label <FAN>', "set a fan's private name or note; what is not given stays", [
    'herald fans label 101001 --account alice --name "Tom" --yes',
    'herald fans label 101001 --account alice --note "" --yes',
  ])
    .option('--name <text>', 'the name; "" takes it away')
    .option('--note <text>', 'the note; "" takes it away')
    .option('--account <name>', 'alias or id of the account')
    .option('--yes', 'do not ask')
    .action((fan: string, flags: LabelFlags, command: Command) =>
      act(command, async (context) =>
        (await import('../fans/label.ts')).fansLabelCommand(context, fan, {
          name: flags.name,
          note: flags.note,
          account: flags.account,
          yes: flags.yes === true,
        }),
      ),
    );
}

function declareFollow(fans: Command, act: Act): void {
  sub(fans, 'follow <FAN>', 'make the account follow a fan; may cost money, and is charged at most once', [
    'herald fans follow 101001 --account alice',
  ])
    .option('--account <name>', 'alias or id of the account')
    .option('--yes', 'do not ask')
    .action((fan: string, flags: FanFlags, command: Command) =>
      act(command, async (context) =>
        (await import('../fans/follow.ts')).fansFollowCommand(context, fan, {
          account: flags.account,
          yes: flags.yes === true,
        }),
      ),
    );
}
