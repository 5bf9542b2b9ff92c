import type { Command } from 'commander';
import { type Act, collect, group, lockTimeout, sub } from '../sub.ts';

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

/** Commands that send to a fan or change one. The lists are declared elsewhere. */
export function declareChat(program: Command, act: Act): void {
  declareSend(group(program, 'chat', 'read and send messages of a chat'), act);
  const fans = group(program, 'fans', 'list, label and follow fans');
  declareLabel(fans, act);
  declareFollow(fans, act);
}

function declareSend(chat: Command, act: Act): void {
  sub(chat, 'send <CHAT> [TEXT]', 'send one message, never twice; the service queues it', [
    'herald chat send 101001 --account alice --text "Good morning!"',
    'herald chat send 101001 --account alice --text-file offer.md --price 9.99 --locked --yes',
    'herald chat send 101001 --account alice --price 5 --media 55012:photo:paid --media 55013:photo',
    'echo "Good morning!" | herald chat send 101001 - --account alice --yes',
  ])
    .option('--text <text>', 'text of the message')
    .option('--text-file <file>', 'read the text from a file, - for standard input')
    .option('--price <usd>', 'price in US dollars, such as 9.99; 0 is free')
    .option('--locked', 'lock the text until the fan pays')
    .option('--media <id:type[:paid]>', 'attach a medium of the vault (repeatable)', collect, [])
    .option('--account <name>', 'alias or id of the account')
    .option('--yes', 'do not ask')
    .option('--acknowledge', 'send despite an unconfirmed earlier message; check the chat first')
    .option('--allow-similar', 'send even if the same message was sent within five minutes')
    .option('--no-local-check', 'do not check price, locked text and media before sending')
    .addOption(lockTimeout())
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
  sub(fans, 'label <FAN>', "set a fan's private name or note", [
    'herald fans label 101001 --account alice --name "Tom" --yes',
    'herald fans label 101001 --account alice --note "" --yes',
  ])
    .option('--name <text>', 'the name; "" removes it')
    .option('--note <text>', 'the note; "" removes it')
    .option('--account <name>', 'alias or id of the account')
    .option('--yes', 'do not ask')
    .addOption(lockTimeout())
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
  sub(fans, 'follow <FAN>', 'follow a fan; may cost money, charged at most once', [
    'herald fans follow 101001 --account alice',
  ])
    .option('--account <name>', 'alias or id of the account')
    .option('--yes', 'do not ask')
    .addOption(lockTimeout())
    .action((fan: string, flags: FanFlags, command: Command) =>
      act(command, async (context) =>
        (await import('../fans/follow.ts')).fansFollowCommand(context, fan, {
          account: flags.account,
          yes: flags.yes === true,
        }),
      ),
    );
}
