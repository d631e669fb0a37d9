export const device = {
  waiting: {
    connect: 'Waiting for {{device}}. Approve or reject the connection there.',
    switch: 'Waiting for {{device}}. Approve or reject the network change there.',
    sign: 'Waiting for {{device}}. Sign or reject there.',
    send: 'Waiting for {{device}}. Approve or reject the transaction there.',
    passkey: 'Waiting for your passkey. Follow the prompt of your browser or password manager.',
  },
  repeated: '{{waiting}} An earlier request may still be open there. Reject the earlier one.',
  stop: 'Stop waiting',
  stopped: 'Stopped waiting for the wallet',
  none: 'No wallet or passkey request is open',
  lateSend:
    'Your wallet sent the transaction after you stopped waiting. If the wallet still shows a second request, reject the second request. {{hash}}',
  lateSign: 'Your wallet signed after you stopped waiting. The signature wasn’t used.',
};
