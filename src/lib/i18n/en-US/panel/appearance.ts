export const appearance = {
  field: { theme: 'Theme', density: 'Density' },
  theme: { light: 'Light', dark: 'Dark', system: 'System', contrast: 'High contrast' },
  density: { compact: 'Compact', default: 'Default', roomy: 'Roomy' },
};
