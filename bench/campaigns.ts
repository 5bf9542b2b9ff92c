const PRICE = 9.99;

/** A campaign of about a thousand characters, as a file declares it and as the service holds it. */
function campaignYaml(number: number): string {
  return `  - name: ${nameOf(number)}
    trigger: welcome_message
    action: send_message
    rules: { send_delay_interval: { min_sec: 30, range_sec: 60 }, unsend_delay_sec: 86400 }
    audience: everyone
    messages:
      - text: "${helloOf(number)}"
        delay_sec: 60
      - text: |
          ${OFFER.split('\n').join('\n          ')}
        price_gross: ${PRICE}
        delay_sec: 3600
        attachments:
          - { id: "${mediaOf(number)}", type: image, is_paid: true }
          - { id: "${mediaOf(number + 1)}", type: image, is_paid: false }
      - text: ${REMINDER}
        delay_sec: 86400
        attachments: [{ id: "${mediaOf(number)}", type: image, is_paid: false }]
`;
}

/** What `campaignYaml` comes to on the service's side, for the simulator's seeds. */
export function campaignSeed(number: number) {
  const image = (id: string, is_paid: boolean) => ({ id, type: 'image', is_paid });
  return {
    name: nameOf(number),
    trigger: 'welcome_message',
    action: 'send_message',
    status: 'active',
    rules: { send_delay_interval: { min_sec: 30, range_sec: 60 }, unsend_delay_sec: 86_400 },
    messages: [
      { text: helloOf(number), delay_sec: 60 },
      {
        text: OFFER,
        price_gross: PRICE,
        delay_sec: 3600,
        attachments: [image(mediaOf(number), true), image(mediaOf(number + 1), false)],
      },
      { text: REMINDER, delay_sec: 86_400, attachments: [image(mediaOf(number), false)] },
    ],
  };
}

function nameOf(number: number): string {
  return `Campaign ${String(number).padStart(6, '0')}`;
}

function mediaOf(number: number): string {
  return String(550_000_000 + number);
}

function helloOf(number: number): string {
  return `Hello, this is number ${number}. I am so glad that you are here; tell me what you would like to see first.`;
}

const OFFER = [
  'The new set is here, the one that I wanted to make all year:',
  'an evening by the sea, the light that you only get in September, and no one',
  'around for miles. There are forty pictures and a film of nine minutes.',
].join('\n');
const REMINDER = 'It is still there for you. Have a look, and tell me how you like it.';

/** A campaign of one short text, of which ten thousand fit one file; and the same on the service's side. */
export function shortCampaignYaml(alias: string, number: number): string {
  const text = `Hello ${number}`;
  return `  - { name: "${nameOf(number)}", accounts: [${alias}], trigger: welcome_message, action: send_message, audience: everyone, messages: [{ text: ${text} }] }\n`;
}

export function shortCampaignSeed(number: number) {
  return {
    name: nameOf(number),
    trigger: 'welcome_message',
    action: 'send_message',
    status: 'active',
    messages: [{ text: `Hello ${number}` }],
  };
}

/** A file of the campaigns from one number on. */
export function campaignFile(alias: string, from: number, count: number): string {
  const campaigns = Array.from({ length: count }, (_, index) => campaignYaml(from + index));
  return `accounts: [${alias}]\ncampaigns:\n${campaigns.join('')}`;
}

/** A campaign without media, which are of one account each, for as many accounts as are named. */
export function sharedCampaign(aliases: string): string {
  return `accounts: [${aliases}]
campaigns:
  - name: Welcome
    trigger: welcome_message
    action: send_message
    audience: everyone
    messages: [{ text: Hello! }, { text: "${REMINDER}", delay_sec: 3600 }]
`;
}
