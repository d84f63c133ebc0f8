import './page.js';

const form = document.querySelector('#contact');
form.addEventListener('submit', (event) => {
  event.preventDefault();
  const { topic, email } = Object.fromEntries(new FormData(form));
  const ticket = { ticket: `T-${String(Date.now()).slice(-5)}`, topic, reply_to: email };
  document.querySelector('#sent').textContent = `Thank you. Your ticket is ${ticket.ticket}.`;
  // Only when an agent submitted the form: tells it what came of it.
  if (event.agentInvoked) event.respondWith(Promise.resolve(ticket));
});
