/** Attributes whose change alone changes which tools the forms of a document are. */
const FORM_ATTRIBUTES = [
  ...['toolname', 'tooldescription', 'tooltitle', 'toolparamdescription', 'toolautosubmit'],
  ...[
    'name',
    'type',
    'required',
    'min',
    'max',
    'step',
    'pattern',
    'multiple',
    'value',
    'form',
    'for',
  ],
  ...['disabled', 'readonly', 'aria-description'],
];

/** What to observe of a document to hear of changes of its form tools. */
export const FORM_MUTATIONS = {
  childList: true,
  subtree: true,
  attributes: true,
  attributeFilter: FORM_ATTRIBUTES,
};
