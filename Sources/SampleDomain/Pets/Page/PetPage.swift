/// The page of one pet.
///
/// - Owns: ``State``, with the pet and the progress of loading it.
/// - Takes: ``Effect``, to load the pet again.
/// - Sets off: a load as soon as the page is open.
///
/// Each page on the application's stack is an instance of ``Module``, made by ``Pets/Module`` and identified by its
/// entry in the stack. Nothing here has to know how many pages there are, which of them is visible, or how a page is
/// closed.
public enum PetPage {}
