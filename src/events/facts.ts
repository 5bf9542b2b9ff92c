import {
  asObject,
  atPointer,
  memberOf,
  objectOf,
  objectsIn,
  objectsOf,
  shortText,
  textIn,
  type JsonObject,
} from './json-values.ts';

/** What Herald looks for in each body. The document does not show where it is (EVENT-1). */
export interface EventFacts {
  readonly kind: string | null;
  readonly id: string | null;
  /** True if the id is certainly that of the event, and not of what the event is about. */
  readonly isOwnId: boolean;
  readonly time: string | null;
  readonly account_id: string | null;
  readonly platform_account_id: string | null;
  readonly fan_id: string | null;
}

/** The facts that a person can point to. */
export const POINTED = ['kind', 'id', 'time', 'account_id', 'platform_account_id', 'fan_id'] as const;
export type Pointers = Readonly<Partial<Record<(typeof POINTED)[number], string>>>;

const KIND_NAMES = ['event', 'type', 'kind', 'event_type', 'eventType', 'event_kind', 'topic'];
const OWN_ID_NAMES = ['event_id', 'eventId', 'delivery_id', 'deliveryId'];
const TIME_NAMES = ['created_at', 'createdAt', 'occurred_at', 'time', 'timestamp', 'sent_at', 'date'];
const ACCOUNT_NAMES = ['account_id', 'accountId'];
const PLATFORM_NAMES = ['platform_account_id', 'platformAccountId'];
const FAN_NAMES = ['fan_id', 'fanId', 'subscriber_id'];
/** Objects that are a person. `user` may also be a team member, so it comes last. */
const FAN_OBJECTS = ['fan', 'subscriber', 'from_user', 'user'];

/** `fans.tip.received`, and not `message` or `tip`. */
const DOTTED = /^[\w-]+(?:\.[\w-]+)+$/;

/** Finds the facts in a body, at the top or one level below. What is not found is null: nothing is refused. */
export function factsOf(text: string, pointers: Pointers = {}): EventFacts {
  const root = objectOf(text);
  if (root === null) return NOTHING;
  const objects = objectsOf(root);
  const first = (names: readonly string[]) => textIn(objects, names);
  const pointed = (name: keyof Pointers) => {
    const pointer = pointers[name];
    return pointer === undefined ? null : shortText(atPointer(root, pointer));
  };
  const account = objects
    .map((object) => asObject(memberOf(object, 'account')))
    .find((found) => found !== null);
  const ownId = pointed('id') ?? first(OWN_ID_NAMES);
  return {
    kind: pointed('kind') ?? kindIn(objects),
    id: ownId ?? shortText(memberOf(root, 'id')),
    isOwnId: ownId !== null,
    time: pointed('time') ?? first(TIME_NAMES),
    account_id: pointed('account_id') ?? first(ACCOUNT_NAMES) ?? shortText(memberOf(account ?? null, 'id')),
    platform_account_id: pointed('platform_account_id') ?? first(PLATFORM_NAMES),
    fan_id: pointed('fan_id') ?? first(FAN_NAMES) ?? fanIn(objects) ?? first(['chat_id', 'chatId']),
  };
}

/** What some bodies have besides the facts that are stored with each event (EVENT-5). */
export interface EventDetails {
  readonly content_type: string | null;
  readonly user_id: string | null;
  readonly svc_api_token_id: string | null;
}

export function readDetails(text: string): EventDetails {
  const objects = objectsIn(text);
  // The document spells the middle of this name in a neutral way.
  const tokenNames = objects.flatMap(Object.keys).filter((name) => name.endsWith('_api_token_id'));
  return {
    content_type: textIn(objects, ['content_type', 'contentType']),
    user_id: textIn(objects, ['user_id', 'userId']),
    svc_api_token_id: textIn(objects, tokenNames),
  };
}

const NOTHING: EventFacts = {
  kind: null,
  id: null,
  isOwnId: false,
  time: null,
  account_id: null,
  platform_account_id: null,
  fan_id: null,
};

/** A text with dots, or else the first text under one of the names. */
function kindIn(objects: readonly JsonObject[]): string | null {
  let found: string | null = null;
  for (const object of objects)
    for (const name of KIND_NAMES) {
      const value = memberOf(object, name);
      const kind = typeof value === 'string' ? shortText(value) : null;
      if (kind !== null && DOTTED.test(kind)) return kind;
      found ??= kind;
    }
  return found;
}

function fanIn(objects: readonly JsonObject[]): string | null {
  for (const name of FAN_OBJECTS)
    for (const object of objects) {
      const id = shortText(memberOf(asObject(memberOf(object, name)), 'id'));
      if (id !== null) return id;
    }
  return null;
}
