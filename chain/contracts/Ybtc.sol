// SPDX-License-Identifier: UNLICENSED
pragma solidity 0.8.37;

import {ERC20} from "@openzeppelin/contracts/token/ERC20/ERC20.sol";
import {Ownable} from "@openzeppelin/contracts/access/Ownable.sol";

/// Bitcoin in custody, one token of 18 decimals for one bitcoin. A deposit is minted for once, whoever asks how often.
contract Ybtc is ERC20, Ownable {
    mapping(address => bool) public isMinter;
    /// What was minted for a deposit; its hash is keccak256(abi.encode(network, txid, vout)).
    mapping(bytes32 => uint256) public mintedFor;

    event DepositMinted(bytes32 indexed depositHash, address indexed to, uint256 amount);

    error NotMinter(address account);
    error AlreadyMinted(bytes32 depositHash);
    error NothingToMint();

    constructor() ERC20("YBTC", "YBTC") Ownable(msg.sender) {}

    function setMinter(address account, bool allowed) external onlyOwner {
        isMinter[account] = allowed;
    }

    function mint(bytes32 depositHash, address to, uint256 amount) external {
        if (!isMinter[msg.sender]) revert NotMinter(msg.sender);
        if (amount == 0) revert NothingToMint();
        if (mintedFor[depositHash] != 0) revert AlreadyMinted(depositHash);
        mintedFor[depositHash] = amount;
        _mint(to, amount);
        emit DepositMinted(depositHash, to, amount);
    }

    function burn(uint256 amount) external {
        _burn(msg.sender, amount);
    }
}
