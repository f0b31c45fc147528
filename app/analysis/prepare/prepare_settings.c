/* SPDX-License-Identifier: MIT */
/* The settings table of debye-cli prepare. */
#include "prepare_settings.h"

typedef DebyePrepareJobSettings Settings;

static const DebyeChoice titrations[] = {
    {"none", "None", "the usual state of each residue, or the one that its name in the file states"},
    {"model", "Model pKa", "protonated where the pH is below the residue's pKa in a small peptide"},
    {"pb", "Poisson–Boltzmann",
     "by the sites' surroundings and each other: Poisson–Boltzmann and Monte Carlo"},
    {NULL, NULL, NULL},
};

static const DebyeChoice tables[] = {
    {"amber", "AMBER", "charges and Lennard-Jones radii of ff14SB, OL15, OL3 and TIP3P"},
    {"charmm", "CHARMM", "charges and Lennard-Jones radii of CHARMM36 and TIP3P"},
    {"parse", "PARSE", "PARSE, made for Poisson–Boltzmann: proteins, RNA and water, no ions"},
    {NULL, NULL, NULL},
};

static const DebyeChoice termini[] = {
    {"charged", "Charged", "ammonium and carboxylate"},
    {"neutral", "Neutral", "amine and carboxylic acid; CHARMM and PARSE have charges for them"},
    {"capped", "Capped", "acetyl (ACE) and methylamide (NME) are added"},
    {NULL, NULL, NULL},
};

static const DebyeChoice waters[] = {
    {"keep", "Keep", "waters get hydrogens"},
    {"drop", "Drop", "waters are left out"},
    {NULL, NULL, NULL},
};

static const DebyeSetting settings[] = {
    {.key = "ph",
     DEBYE_SETTING_MEMBER(Settings, ph),
     .label = "pH",
     .kind = DEBYE_SETTING_NUMBER,
     .minimum = -2.0,
     .maximum = 16.0,
     .initial = "7",
     .help = "protonates residues as at this pH",
     .basic = TRUE},
    {.key = "titrate",
     DEBYE_SETTING_MEMBER(Settings, titrate),
     .label = "Titration",
     .kind = DEBYE_SETTING_CHOICE,
     .initial = "model",
     .choices = titrations,
     .help = "how protonation states are decided",
     .basic = TRUE},
    {.key = "charges",
     DEBYE_SETTING_MEMBER(Settings, table),
     .label = "Charges",
     .kind = DEBYE_SETTING_CHOICE,
     .initial = "amber",
     .choices = tables,
     .help = "force field whose charges and radii the atoms get",
     .basic = TRUE},
    {.key = "names",
     DEBYE_SETTING_MEMBER(Settings, renames),
     .label = "Force field names",
     .kind = DEBYE_SETTING_BOOLEAN,
     .initial = "false",
     .help = "name residues after the force field: HID, CYX, ASH, DA5"},
    {.key = "keep",
     DEBYE_SETTING_OPTIONAL_MEMBER(Settings, keep),
     .label = "Keep",
     .kind = DEBYE_SETTING_SELECTION,
     .initial = "all",
     .help = "atoms to keep"},
    {.key = "termini",
     DEBYE_SETTING_MEMBER(Settings, termini),
     .label = "Ends of chains",
     .kind = DEBYE_SETTING_CHOICE,
     .initial = "charged",
     .choices = termini,
     .help = "ends of protein chains, also at breaks"},
    {.key = "water",
     DEBYE_SETTING_MEMBER(Settings, drops_water),
     .label = "Water",
     .kind = DEBYE_SETTING_CHOICE,
     .initial = "keep",
     .choices = waters,
     .help = "treatment of waters"},
    {.key = "optimise",
     DEBYE_SETTING_MEMBER(Settings, optimises),
     .label = "Optimise hydrogen bonds",
     .kind = DEBYE_SETTING_BOOLEAN,
     .initial = "true",
     .help = "turn hydroxyls, ammonium groups and waters, flip Asn, Gln and His and choose the tautomers of "
             "His for hydrogen bonds"},
    {.key = "model",
     DEBYE_SETTING_OPTIONAL_MEMBER(Settings, model),
     .label = "Model",
     .kind = DEBYE_SETTING_INTEGER,
     .minimum = 1,
     .maximum = 1e9,
     .initial = "1",
     .help = "model to take from a file of several, counted from 1"},
    {.key = "assembly",
     DEBYE_SETTING_MEMBER(Settings, assembly),
     .label = "Assembly",
     .kind = DEBYE_SETTING_INTEGER,
     .minimum = 0,
     .maximum = 1e6,
     .initial = "0",
     .help = "number of the biological assembly to make from the file's chains; 0: the atoms as they are"},
    {.key = "states",
     DEBYE_SETTING_MEMBER(Settings, states),
     .label = "States",
     .kind = DEBYE_SETTING_TEXT,
     .help =
         "CSV file of chosen states, with the columns chain, residue (number), state (ASH, HID, LYN …; of "
         "NTR and CTR charged, neutral or capped)"},
    {.key = "ligand",
     DEBYE_SETTING_MEMBER(Settings, ligands),
     .label = "Ligand",
     .kind = DEBYE_SETTING_TEXT,
     .repeated = TRUE,
     .help = "Mol2, SDF or mmCIF component file with bond orders, hydrogens and perhaps charges of a ligand; "
             "may be given several times"},
    {.key = "solute-permittivity",
     DEBYE_SETTING_MEMBER(Settings, solute_permittivity),
     .label = "Permittivity within",
     .kind = DEBYE_SETTING_NUMBER,
     .minimum = 1.0,
     .maximum = 80.0,
     .initial = "20",
     .needs = DEBYE_SETTING_NEEDS("titrate", "pb"),
     .help = "relative permittivity of the molecule for titration by Poisson–Boltzmann"},
    {.key = "ionic-strength",
     DEBYE_SETTING_MEMBER(Settings, ionic_strength),
     .label = "Ionic strength",
     .kind = DEBYE_SETTING_NUMBER,
     .unit = "mol/l",
     .minimum = 0.0,
     .maximum = 10.0,
     .initial = "0.1",
     .needs = DEBYE_SETTING_NEEDS("titrate", "pb"),
     .help = "ionic strength of the solution for titration by Poisson–Boltzmann"},
    {.key = "titration",
     .label = "Titration curves",
     .kind = DEBYE_SETTING_TEXT,
     .needs = DEBYE_SETTING_NEEDS("titrate", "pb"),
     .help = "CSV file of each site's protons over pH"},
    {.key = "report",
     .label = "Report",
     .kind = DEBYE_SETTING_TEXT,
     .help = "CSV file with the decisions, residue by residue"},
    DEBYE_SETTING_LANES_ENTRIES(Settings),
    DEBYE_SETTING_ELEMENT_ENTRY,
    DEBYE_SETTING_ALTLOC_ENTRY_FROM("highest"),
};

const DebyeSettingTable debye_prepare_settings = {
    .id = "prepare",
    .title = "Make ready",
    .question = "Which hydrogens, charges and radii does a bare structure get?",
    .settings = settings,
    .n_settings = G_N_ELEMENTS(settings),
};

gboolean
debye_prepare_settings_titrate(DebyeRequest *request)
{
  Settings asked;
  debye_request_fill(request, &asked);
  return asked.titrate == DEBYE_TITRATE_PB;
}
