import { defineTool } from 'pagehand/agent';
import * as z from 'zod';

const completeTask = defineTool({
  name: 'completeTask',
  description: 'Mark a task done using its ID from listTasks.',
  parameters: z.object({ id: z.number().int().positive() }),
  writes: true,
  requires: ['listTasks'],
  execute: ({ id }) => ({ id, title: 'Water the plants' }),
  toModelOutput: (result) => `done: ${result.title}`,
});
console.log(completeTask.requires);
// → ["listTasks"]
