/** Members of a resource as a file states them. */
type Written = Readonly<Record<string, unknown>>;

/** Where the flows keep what they declare; JSON is YAML. */
const LIVE_FILE = 'live/all.yaml';

/** A file with these resources on alice, or on other accounts. */
export function declaring(
  { campaigns = [], broadcasts = [] }: { campaigns?: readonly Written[]; broadcasts?: readonly Written[] },
  accounts: readonly string[] = ['alice'],
): Record<string, string> {
  const parts = {
    accounts,
    ...(campaigns.length === 0 ? {} : { campaigns }),
    ...(broadcasts.length === 0 ? {} : { broadcasts }),
  };
  return { [LIVE_FILE]: JSON.stringify(parts) };
}

/** A campaign as a file declares it. */
export function campaign(more: Written = {}): Written {
  return {
    name: 'Welcome',
    trigger: 'welcome_message',
    action: 'send_message',
    audience: 'everyone',
    messages: [{ text: 'Hey' }],
    ...more,
  };
}

/** A broadcast as a file declares it, three hours after the flows begin. */
export function broadcast(more: Written = {}): Written {
  return {
    name: 'Teaser',
    scheduled_at: '2026-06-01T15:00Z',
    audience: 'everyone',
    messages: [{ text: 'Tomorrow' }],
    ...more,
  };
}
