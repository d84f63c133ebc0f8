import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { isConsequential, isReadOnly } from '../../../lib/agent/approval';
import { saysDeed } from '../../../lib/agent/deeds';

const hinted = (name: string, description = 'Works on the list') => ({
  name,
  description,
  annotations: { readOnlyHint: true },
});

describe('a read-only hint is outvoted', () => {
  test.each([
    'delete_account',
    'deleteAccount',
    'cart.remove',
    'cart_remove_item',
    'todo-delete-all',
    'clear_history',
    'cart_clear',
    'pay',
    'pay_invoice',
    'send_message',
    'mail_send_draft',
    'SendMoney',
    'unsubscribe',
    'cancel_order',
    'delete_search_history',
  ])('by the name %s', (name) => {
    expect(isReadOnly(hinted(name))).toBe(false);
  });

  test.each([
    'Deletes the account.',
    'Delete a note by its id',
    'Permanently removes all photos',
    'This tool sends the letter to the printer',
    'Use this tool to cancel an appointment.',
    'Clear the basket',
    'Clears what was typed',
    'Pay with the stored card',
    'Finds the booking and cancels it',
    'Look up the entry, then erase it',
  ])('by the description “%s”', (description) => {
    expect(isReadOnly(hinted('run', description))).toBe(false);
  });
});

describe('a read-only hint counts', () => {
  test.each([
    'get_removed_items',
    'list_payments',
    'removed_items',
    'list_pay_dates',
    'next_pay_date',
    'can_delete_account',
    'check_send_status',
    'preview_delete',
    'items_to_remove',
    'sender_info',
    'clearance_sale',
    'payment_methods',
    'search_cleared_cases',
    'deleted',
  ])('for the name %s', (name) => {
    expect(isReadOnly(hinted(name))).toBe(true);
  });

  test.each([
    'Lists the removed items.',
    'Shows payments and sending dates',
    'Clear sky hours of the coming night',
    'Pay scales by region',
    'Returns mails you can read and send on',
    'Gets a note. Does not delete it.',
    'The send button’s state',
    'Never removes anything',
    '',
  ])('for the description “%s”', (description) => {
    expect(isReadOnly(hinted('look', description))).toBe(true);
  });

  test('only where it is true itself', () => {
    expect(isReadOnly({ name: 'look', description: 'Looks' })).toBe(false);
  });
});

test('a hinted tool whose name costs money is asked for each time', () => {
  expect(isConsequential(hinted('delete_account'))).toBe(true);
  expect(isConsequential(hinted('remove_item'))).toBe(false);
  expect(isConsequential(hinted('list_payments'))).toBe(false);
});

test('any words are read', () => {
  fc.assert(
    fc.property(
      fc.string({ unit: 'binary' }),
      fc.string({ unit: 'binary' }),
      (name, description) => {
        expect(typeof saysDeed({ name, description })).toBe('boolean');
      },
    ),
  );
});
