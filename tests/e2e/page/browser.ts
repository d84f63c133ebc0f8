/// <reference types="chrome" />
export const browser = chrome;
