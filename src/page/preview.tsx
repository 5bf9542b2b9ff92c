import type { FC } from 'hono/jsx';
import type { ChangeKind, PlannedContent, PlannedMessage, PlannedAttachment } from '../domain/change.ts';
import { groupBy } from '../domain/group-by.ts';
import { describeAudience, formatDuration, formatPrice, formatValue, formatBytes } from '../render/values.ts';
import type { Card, Model } from './model.ts';
import { Text, Time } from './text.tsx';
import { visible } from '../domain/visible.ts';
import type { Picture } from './pictures.ts';

/** Nothing of these is sent any more. */
const STOPPING: readonly ChangeKind[] = ['pause', 'archive', 'recall', 'retire'];

/** Contents that are drawn of one card; the files have all of them. */
const CONTENTS_MAX = 5;

/** Of the variables, on one account. */
type Values = Readonly<Record<string, string>>;

interface Version {
  readonly content: PlannedContent;
  readonly accounts: readonly string[];
}

/** What a fan gets, for each content that the card declares. */
export const Preview: FC<{ readonly card: Card; readonly model: Model }> = ({ card, model }) => {
  const versions = listVersions(card, model);
  const [first] = versions;
  if (first === undefined || first.content.messages.length === 0) return null;
  const account = first.accounts[0] ?? '';
  const isStopping = STOPPING.includes(card.shared.action);
  const canSwitch = card.accounts.length > 1 && card.changes.length === card.accounts.length;
  return (
    <div class="pv" role="group" aria-labelledby={`${card.id}-pv`}>
      <div class="pv-h">
        <h4 id={`${card.id}-pv`}>{isStopping ? 'Its messages' : 'What a fan gets'}</h4>
        {canSwitch ? (
          <label class="field js" hidden>
            Account <select class="who" />
          </label>
        ) : null}
        <span class="acc mute">
          <Text text={account} />
        </span>
      </div>
      {versions.slice(0, CONTENTS_MAX).map((version, index) => (
        <Thread version={version} model={model} isFirst={index === 0} />
      ))}
      {versions.length > CONTENTS_MAX ? (
        <p class="mute more">and {versions.length - CONTENTS_MAX} more versions, in the files</p>
      ) : null}
    </div>
  );
};

function listVersions(card: Card, { contents }: Model): readonly Version[] {
  const own = card.changes.flatMap(({ content, address }) => {
    const found = contents[content ?? -1];
    return found === undefined ? [] : [{ content: found, account: address.account }];
  });
  return [...groupBy(own, ({ content }) => content)].map(([content, same]) => {
    return { content, accounts: [...new Set(same.map(({ account }) => account))] };
  });
}

const Thread: FC<{ readonly version: Version; readonly model: Model; readonly isFirst: boolean }> = ({
  version: { content, accounts },
  model,
  isFirst,
}) => {
  const account = accounts[0] ?? '';
  const indexes = accounts.map((alias) => model.accounts.indexOf(alias)).join(' ');
  return (
    <ol class={isFirst ? 'thread' : 'thread own'} data-accounts={indexes}>
      <li>
        <p class="wait">
          {isFirst ? null : (
            <b>
              <Text text={accounts.length === 1 ? account : `${accounts.length} other accounts`} />:{' '}
            </b>
          )}
          <Start content={content} model={model} />
        </p>
      </li>
      {content.messages.map((message, index) => (
        <li>
          <Wait content={content} message={message} index={index} />
          <Bubble message={message} values={model.plan.variables?.[account] ?? {}} model={model} />
        </li>
      ))}
      <End content={content} />
    </ol>
  );
};

const Start: FC<{ readonly content: PlannedContent; readonly model: Model }> = ({ content, model }) => {
  const zone = model.zoneFor(content);
  const audience = describeAudience(content.audience_filters, zone);
  if (content.scheduled_at !== undefined)
    return (
      <>
        <Time at={content.scheduled_at} zone={zone} />, to: <Text text={audience} />
      </>
    );
  const trigger =
    content.trigger === 'welcome_message' ? 'A fan subscribes' : `Trigger ${content.trigger ?? ''}`;
  return (
    <>
      <Text text={trigger} />
      {audience === 'everyone' ? null : (
        <>
          {' '}
          (<Text text={audience} />)
        </>
      )}
    </>
  );
};

/** Assumed: the delay of a message counts from the one before (CONTENT-13). */
const Wait: FC<{
  readonly content: PlannedContent;
  readonly message: PlannedMessage;
  readonly index: number;
}> = ({ content, message, index }) => {
  const delay = message.delay_sec ?? 0;
  const interval = content.rules?.['send_delay_interval'];
  if (index === 0 && typeof interval === 'object' && interval !== null) {
    const { min_sec: min = 0, range_sec: range = 0 } = interval as { min_sec?: number; range_sec?: number };
    const words = formatValue('send_delay_interval', { min_sec: min + delay, range_sec: range }, null);
    return <p class="wait">{(words ?? '').replace('-', '–')} later</p>;
  }
  return delay === 0 ? null : <p class="wait">{formatDuration(delay)} later</p>;
};

const End: FC<{ readonly content: PlannedContent }> = ({ content: { rules = {} } }) => {
  const after = rules['unsend_delay_sec'];
  if (typeof after !== 'number' || after === 0) return null;
  const ifNotRead = rules['unsend_if_not_read_enabled'] === true;
  const ifNoReply = rules['unsend_if_not_replied_enabled'] === true;
  if (!ifNotRead && !ifNoReply) return null;
  return (
    <li>
      <p class="wait">
        {ifNotRead ? 'Not read' : 'No reply'} after {formatDuration(after)}: recalled
      </p>
    </li>
  );
};

const Bubble: FC<{ readonly message: PlannedMessage; readonly values: Values; readonly model: Model }> = ({
  message,
  values,
  model,
}) => {
  const { text, price_gross: price = 0, attachments = [], text_is_paid: isPaid } = message;
  return (
    <>
      {attachments.length === 0 ? null : (
        <div class="media">
          {attachments.map((attachment) => (
            <Media attachment={attachment} values={values} model={model} />
          ))}
        </div>
      )}
      {text == null || text === '' ? null : (
        <div class="bubble" dir="auto">
          {isPaid === true ? (
            <span class="paid">
              <Padlock size={12} /> Paid text{'\n'}
            </span>
          ) : null}
          <Long text={text} values={values} />
        </div>
      )}
      {price > 0 ? (
        <p class="price">
          <Padlock size={14} />
          Unlock for {formatPrice(price)}
        </p>
      ) : null}
    </>
  );
};

interface Template {
  readonly text: string;
  readonly values: Values;
}

/** A text beyond this is long; this much of it is shown at once. */
const LONG_UNITS = 2_000;

const BEGINNING_UNITS = 600;

const Long: FC<Template> = ({ text, values }) => {
  if (text.length <= LONG_UNITS) return <Filled text={text} values={values} />;
  const beginning = text
    .slice(0, BEGINNING_UNITS)
    .replace(/\s+\S*$/u, '')
    // Neither a variable nor a character is cut in two.
    .replace(/\{\{[^}]*$|[\ud800-\udbff]$/, '');
  const rest = text.slice(beginning.length);
  return (
    <>
      <Filled text={beginning} values={values} />
      <details class="rest">
        <summary>The rest, {rest.length.toLocaleString('en-GB')} characters</summary>
        <Filled text={rest} values={values} />
      </details>
    </>
  );
};

const Filled: FC<Template> = ({ text, values }) => (
  <>
    {splitTemplate(text).map((part) =>
      typeof part === 'string' ? (
        <Text text={part} />
      ) : (
        // Only letters, digits and _.
        <span class="var" data-var={part.variable}>
          <Text
            text={
              Object.hasOwn(values, part.variable) ? (values[part.variable] ?? '') : `{{${part.variable}}}`
            }
          />
        </span>
      ),
    )}
  </>
);

/** `{{name}}`, or the escape `\{{` of a literal one, as in the files. */
const PLACEHOLDER = /\\\{\{|\{\{\s*([A-Za-z_]\w*)\s*\}\}/g;

/** The parts of a text that is written with variables. Braces that are neither stay as they are. */
function splitTemplate(text: string): readonly (string | { readonly variable: string })[] {
  const parts: (string | { readonly variable: string })[] = [];
  let rest = 0;
  for (const { 0: whole, 1: variable, index } of text.matchAll(PLACEHOLDER)) {
    parts.push(text.slice(rest, index), variable === undefined ? whole.slice(1) : { variable });
    rest = index + whole.length;
  }
  return [...parts, text.slice(rest)].filter((part) => part !== '');
}

/** One picture or video of a message. A paid one is shown too, with its lock: a person has to approve it. */
const Media: FC<{
  readonly attachment: PlannedAttachment;
  readonly values: Values;
  readonly model: Model;
}> = ({ attachment: { type, is_paid: isPaid = false, id, file, size }, values, model }) => {
  const picture = file === undefined ? IN_VAULT : (model.pictures.get(file) ?? NOT_READ);
  const name = type === 'image' ? 'Photo' : type.charAt(0).toUpperCase() + type.slice(1);
  if (picture.kind === 'shown')
    return (
      <div class="pic">
        <svg role="img" aria-label={visible(`${name}, ${file ?? ''}`)}>
          <use href={`#${pictureId(model, file)}`} width="100%" height="100%" />
        </svg>
        {isPaid ? (
          <span>
            <Padlock size={18} /> locked
          </span>
        ) : null}
      </div>
    );
  return (
    <div class={isPaid ? 'lock' : 'free'}>
      {isPaid ? <Padlock size={18} /> : null}
      <span>
        <Text text={name} />{' '}
        {file === undefined ? <Filled text={id ?? ''} values={values} /> : <Text text={file} />}
      </span>
      <span>
        {isPaid ? 'locked' : 'free'}
        {size === undefined ? null : `, ${formatBytes(size)}`}
      </span>
      <span>{picture.why}</span>
    </div>
  );
};

const IN_VAULT: Picture = {
  kind: 'missing',
  why: 'It is in the vault, and the workspace has no file of it.',
};

const NOT_READ: Picture = { kind: 'missing', why: 'Its file was not read for this page.' };

/** Each picture once, however many messages have it. */
export const StoredPictures: FC<{ readonly model: Model }> = ({ model }) => (
  <svg class="vh" width="1" height="1" aria-hidden="true">
    {[...model.pictures].map(([file, picture]) =>
      picture.kind === 'missing' ? null : (
        <symbol id={pictureId(model, file)}>
          <image href={picture.url} width="100%" height="100%" preserveAspectRatio="xMidYMid slice" />
        </symbol>
      ),
    )}
  </svg>
);

function pictureId({ pictures }: Model, file = ''): string {
  return `picture-${[...pictures.keys()].indexOf(file) + 1}`;
}

const Padlock: FC<{ readonly size: number }> = ({ size }) => (
  <svg
    width={size}
    height={size}
    viewBox="0 0 18 18"
    fill="none"
    stroke="currentColor"
    stroke-width="1.5"
    aria-hidden="true"
  >
    <rect x="3.5" y="8" width="11" height="7" rx="1.5" />
    <path d="M6 8V5.5a3 3 0 0 1 6 0V8" />
  </svg>
);
